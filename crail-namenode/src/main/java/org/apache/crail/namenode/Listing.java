/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.rpc.message.ChildrenResponse;
import org.apache.crail.rpc.message.OccupantsRequest;
import org.apache.crail.rpc.message.RecordKey;
import org.apache.crail.rpc.message.SlotsRequest;
import org.apache.crail.rpc.message.SlotsResponse;
import org.apache.crail.rpc.transport.RpcTransport;

/** Tells what containers hold. Not thread safe; needs the namespace's read lock. */
final class Listing {
    private static final int MAX_PAGE_BYTES = RpcTransport.MAX_MESSAGE_BYTES - 1024;
    /** One id is tried for so many children before all of them are looked at. */
    private static final int IDS_PER_CHILDREN = 4;

    private static final Comparator<Node> NEWEST_FIRST =
            Comparator.<Node>comparingLong(node -> node.fd).reversed();

    private final Namespace namespace;

    Listing(Namespace namespace) {
        this.namespace = namespace;
    }

    SlotsResponse slots(SlotsRequest request) throws CrailException {
        Container container = container(request.fd(), request.firstSlot(), request.count());
        int first = request.firstSlot();
        int count =
                Math.max(0, Math.min(Math.min(request.count(), SlotsRequest.MAX_COUNT), container.slots.end() - first));
        long[] keys = new long[count];
        for (int i = 0; i < count; i++) {
            Node node = container.slots.get(first + i);
            keys[i] = node == null ? RecordKey.FREE : RecordKey.of(node.fd, node.name);
        }
        return new SlotsResponse(keys);
    }

    ChildrenResponse occupants(OccupantsRequest request) throws CrailException {
        Container container = container(request.fd(), request.firstSlot(), request.count());
        int end = (int) Math.min(container.slots.end(), (long) request.firstSlot() + request.count());
        List<Node> occupants = new ArrayList<>();
        for (int slot = request.firstSlot(); slot < end && occupants.size() < ChildrenRequest.MAX_COUNT; slot++) {
            Node node = container.slots.get(slot);
            if (node != null) {
                occupants.add(node);
            }
        }
        return page(container, occupants);
    }

    ChildrenResponse children(ChildrenRequest request) throws CrailException {
        if (request.limit() < 1) {
            throw new InvalidRequestException(
                    "cannot list " + request.limit() + " children of " + request.path() + "; ask for at least one");
        }
        Container container = container(namespace.require(request.path()), request.path());
        int limit = Math.min(request.limit(), ChildrenRequest.MAX_COUNT);
        return page(container, next(container, request.afterFd(), limit));
    }

    /** The first of some children, as many as fit a message. */
    private ChildrenResponse page(Container container, List<Node> children) {
        List<NodeStatus> page = new ArrayList<>(children.size());
        int bytes = 0;
        NodeStatus former = null;
        for (Node node : children) {
            NodeStatus child = namespace.status(node);
            bytes += ChildrenResponse.encodedLength(child, former);
            if (bytes > MAX_PAGE_BYTES) {
                break;
            }
            page.add(child);
            former = child;
        }
        return new ChildrenResponse(container.fd, page);
    }

    /**
     * Children with ids above {@code afterFd}, in order, none left out; not all that fit, but one at least if there is one. Who asks
     * page by page may miss a node that moves here, or a value that comes back, meanwhile: its id may be below those that were told.
     */
    private List<Node> next(Container container, long afterFd, int limit) {
        Tree tree = namespace.tree();
        long fd = Math.max(tree.root().fd, afterFd);
        long end =
                Math.min(tree.lastFd(), fd + ChildrenRequest.MAX_COUNT + container.children.size() / IDS_PER_CHILDREN);
        List<Node> page = new ArrayList<>();
        while (fd < end && page.size() < limit) {
            fd++;
            Node node = tree.find(fd);
            if (node != null && node.parent == container) {
                page.add(node);
            }
        }
        return page.isEmpty() && fd < tree.lastFd() ? oldest(container, fd, limit) : page;
    }

    /** The children with the lowest ids above {@code afterFd}, in order; looks at all of them. */
    private static List<Node> oldest(Container container, long afterFd, int limit) {
        PriorityQueue<Node> kept = new PriorityQueue<>(NEWEST_FIRST);
        container.children.forEach(node -> {
            if (node.fd > afterFd && (kept.size() < limit || node.fd < kept.peek().fd)) {
                if (kept.size() == limit) {
                    kept.poll();
                }
                kept.add(node);
            }
        });
        List<Node> page = new ArrayList<>(kept);
        page.sort(NEWEST_FIRST.reversed());
        return page;
    }

    private Container container(long fd, int firstSlot, int count) throws CrailException {
        if (firstSlot < 0 || count < 1) {
            throw new InvalidRequestException("cannot list " + count + " slots from " + firstSlot
                    + " on; begin at 0 or more and ask for at least one");
        }
        return container(namespace.tree().require(fd), "node " + fd);
    }

    private static Container container(Node node, Object name) throws NodeTypeMismatchException {
        if (node instanceof Container container) {
            return container;
        }
        throw new NodeTypeMismatchException(
                "cannot list " + name + ": it is a " + node.type() + ", which holds no nodes");
    }
}

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
    /** One rank is tried for so many children before all of them are looked at. */
    private static final int CHILDREN_PER_RANK = 4;

    private final Namespace namespace;
    private final ListingOrder order;

    Listing(Namespace namespace) {
        this.namespace = namespace;
        this.order = namespace.order();
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
        return page(container, next(container, request.after(), limit));
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

    /** Children with ranks above {@code after}, in order, none left out; not all that fit, but one at least if there is one. */
    private List<Node> next(Container container, long after, int limit) {
        Tree tree = namespace.tree();
        long rank = Math.max(tree.root().fd, after);
        long end = Math.min(
                tree.lastFd(), rank + ChildrenRequest.MAX_COUNT + container.children.size() / CHILDREN_PER_RANK);
        List<Node> page = new ArrayList<>();
        while (rank < end && page.size() < limit) {
            rank++;
            Node node = order.find(rank);
            if (node != null && node.parent == container) {
                page.add(node);
            }
        }
        return page.isEmpty() && rank < tree.lastFd() ? first(container, rank, limit) : page;
    }

    /** The children with the lowest ranks above {@code after}, in order; looks at all of them. */
    private List<Node> first(Container container, long after, int limit) {
        Comparator<Node> byRank = Comparator.comparingLong(order::rankOf);
        PriorityQueue<Node> kept = new PriorityQueue<>(byRank.reversed());
        container.children.forEach(node -> {
            long rank = order.rankOf(node);
            if (rank > after && (kept.size() < limit || rank < order.rankOf(kept.peek()))) {
                if (kept.size() == limit) {
                    kept.poll();
                }
                kept.add(node);
            }
        });
        List<Node> page = new ArrayList<>(kept);
        page.sort(byRank);
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

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
    /** In a container of so many children and fewer all are looked at, so that a page becomes full and says whether it is the last. */
    private static final int FEW_CHILDREN = 4 * ChildrenRequest.MAX_COUNT;

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
        int slot = request.firstSlot();
        for (; slot < end && occupants.size() < ChildrenRequest.MAX_COUNT; slot++) {
            Node node = container.slots.get(slot);
            if (node != null) {
                occupants.add(node);
            }
        }
        return page(container, new Found(occupants, slot >= end));
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

    /** Some nodes, and whether they are all that were asked for. */
    private record Found(List<Node> nodes, boolean isAll) {}

    /** The first of some children, as many as fit a message. */
    private ChildrenResponse page(Container container, Found found) {
        List<NodeStatus> page = new ArrayList<>(found.nodes.size());
        int bytes = 0;
        NodeStatus former = null;
        for (Node node : found.nodes) {
            NodeStatus child = namespace.status(node);
            bytes += ChildrenResponse.encodedLength(child, former);
            if (bytes > MAX_PAGE_BYTES) {
                break;
            }
            page.add(child);
            former = child;
        }
        return new ChildrenResponse(container.fd, page, found.isAll && page.size() == found.nodes.size());
    }

    /** Children with ranks above {@code after}, in order, none left out; not all that fit, but one at least if there is one. */
    private Found next(Container container, long after, int limit) {
        Tree tree = namespace.tree();
        long rank = Math.max(tree.root().fd, after);
        long end = Math.min(
                tree.lastFd(), rank + ChildrenRequest.MAX_COUNT + container.children.size() / CHILDREN_PER_RANK);
        List<Node> nodes = new ArrayList<>();
        while (rank < end && nodes.size() < limit) {
            rank++;
            Node node = order.find(rank);
            if (node != null && node.parent == container && Writers.isPlaced(node)) {
                nodes.add(node);
            }
        }
        if (rank >= tree.lastFd()) {
            return new Found(nodes, true);
        }
        int wanted = limit - nodes.size();
        if (wanted == 0 || (!nodes.isEmpty() && container.children.size() > FEW_CHILDREN)) {
            return new Found(nodes, false);
        }
        List<Node> more = first(container, rank, wanted);
        nodes.addAll(more);
        return new Found(nodes, more.size() < wanted);
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
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

    private static final Comparator<Node> ORDER = Comparator.<Node>comparingInt(
                    node -> node.nameHash ^ Integer.MIN_VALUE)
            .thenComparing(node -> node.name, Arrays::compareUnsigned);

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
        int slot = container.slots.firstUsed(request.firstSlot(), end);
        while (slot < end && occupants.size() < ChildrenRequest.MAX_COUNT) {
            occupants.add(container.slots.get(slot));
            slot = container.slots.firstUsed(slot + 1, end);
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
        return page(container, next(container, request.after().getBytes(StandardCharsets.UTF_8), limit));
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

    /**
     * Children behind a name, in the order of the hashes of names, which is the order of the table, and of the names where
     * hashes are equal: so a path has the same place whatever node has it. A page looks at the parts of the table that it
     * shows, each of which is bounded.
     */
    private Found next(Container container, byte[] after, int limit) {
        int hash = after.length == 0 ? 0 : namespace.tree().hashOf(after); // no name is empty, so all are behind that
        long from = Integer.toUnsignedLong(hash);
        List<Node> nodes = new ArrayList<>();
        while (from < NodeTable.HASHES && nodes.size() <= limit) {
            int begin = nodes.size();
            from = container.children.forEachOfPart(from, node -> {
                if (node.nameHash != hash || Arrays.compareUnsigned(node.name, after) > 0) {
                    nodes.add(node);
                }
            });
            nodes.subList(begin, nodes.size()).sort(ORDER);
        }
        boolean isAll = nodes.size() <= limit;
        return new Found(isAll ? nodes : nodes.subList(0, limit), isAll);
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

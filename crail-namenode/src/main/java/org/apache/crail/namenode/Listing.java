/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.SlotTable;
import org.apache.crail.namenode.tree.Tree;
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

    private final Tree tree;
    private final NodeDescriptions descriptions;

    Listing(Namespace namespace) {
        this.tree = namespace.tree();
        this.descriptions = namespace.descriptions();
    }

    SlotsResponse slots(SlotsRequest request) throws CrailException {
        Container container = container(request.fd(), request.firstSlot(), request.count());
        int first = request.firstSlot();
        int count = Math.max(
                0,
                Math.min(
                        Math.min(request.count(), SlotsRequest.MAX_COUNT),
                        container.slots().end() - first));
        long[] keys = new long[count];
        for (int i = 0; i < count; i++) {
            Node node = container.slots().get(first + i);
            keys[i] = node == null ? RecordKey.FREE : RecordKey.of(node.fd(), node.name());
        }
        return new SlotsResponse(keys);
    }

    ChildrenResponse occupants(OccupantsRequest request) throws CrailException {
        Container container = container(request.fd(), request.firstSlot(), request.count());
        int end = (int) Math.min(container.slots().end(), (long) request.firstSlot() + request.count());
        return page(container, new Occupants(container.slots(), request.firstSlot(), end), ChildrenRequest.MAX_COUNT);
    }

    ChildrenResponse children(ChildrenRequest request) throws CrailException {
        if (request.limit() < 1) {
            throw new InvalidRequestException(
                    "cannot list " + request.limit() + " children of " + request.path() + "; ask for at least one");
        }
        Container container = container(tree.require(request.path()), request.path());
        int limit = Math.min(request.limit(), ChildrenRequest.MAX_COUNT);
        byte[] after = request.after().getBytes(StandardCharsets.UTF_8);
        return page(container, tree.childrenAfter(container, after), limit);
    }

    /** The first of some children, as many as fit a message and are wanted. */
    private ChildrenResponse page(Container container, Iterator<Node> children, int limit) {
        List<NodeStatus> page = new ArrayList<>();
        int bytes = 0;
        boolean isFull = false;
        NodeStatus former = null;
        while (!isFull && children.hasNext()) {
            NodeStatus child = descriptions.status(children.next());
            bytes += ChildrenResponse.encodedLength(child, former);
            isFull = page.size() == limit || bytes > MAX_PAGE_BYTES;
            if (!isFull) {
                page.add(child);
                former = child;
            }
        }
        return new ChildrenResponse(container.fd(), page, !isFull);
    }

    private Container container(long fd, int firstSlot, int count) throws CrailException {
        if (firstSlot < 0 || count < 1) {
            throw new InvalidRequestException("cannot list " + count + " slots from " + firstSlot
                    + " on; begin at 0 or more and ask for at least one");
        }
        return container(tree.require(fd), "node " + fd);
    }

    private static Container container(Node node, Object name) throws NodeTypeMismatchException {
        if (node instanceof Container container) {
            return container;
        }
        throw new NodeTypeMismatchException(
                "cannot list " + name + ": it is a " + node.type() + ", which holds no nodes");
    }

    /** The nodes that hold the slots of a range. */
    private static final class Occupants implements Iterator<Node> {
        private final SlotTable slots;
        private final int end;
        private int next;

        Occupants(SlotTable slots, int begin, int end) {
            this.slots = slots;
            this.end = end;
            this.next = slots.firstUsed(begin, end);
        }

        @Override
        public boolean hasNext() {
            return next < end;
        }

        @Override
        public Node next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Node node = slots.get(next);
            next = slots.firstUsed(next + 1, end);
            return node;
        }
    }
}

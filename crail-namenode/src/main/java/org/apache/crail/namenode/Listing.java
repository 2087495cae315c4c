/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.rpc.message.ChildrenResponse;
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

    private static Container container(Node node, Object name) throws NodeTypeMismatchException {
        if (node instanceof Container container) {
            return container;
        }
        throw new NodeTypeMismatchException(
                "cannot list " + name + ": it is a " + node.type() + ", which holds no nodes");
    }
}

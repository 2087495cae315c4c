/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Nodes that have been taken out of the tree and still hold blocks. Removing a container takes one step, however much
 * it holds; here it is taken apart, a part at a time, and its blocks go to wait for reclamation. Not thread safe;
 * guarded by the namespace's lock.
 */
final class RemovedNodes {
    private final Deque<Node> stack = new ArrayDeque<>();
    private final Namespace namespace;

    RemovedNodes(Namespace namespace) {
        this.namespace = namespace;
    }

    /** Takes over a node that has been unlinked. */
    void add(Node node) {
        node.isOnStack = true;
        stack.push(node);
    }

    boolean isEmpty() {
        return stack.isEmpty();
    }

    /**
     * Does about {@code limit} steps: a step takes a node apart, or a child out of its container, or gives back a
     * block. A node of many blocks stays here until all have been given back.
     */
    void takeApart(int limit, long nowNs) {
        int left = limit;
        while (left > 0 && !stack.isEmpty()) {
            Node node = stack.peek();
            int before = stack.size();
            boolean hadChildren = node instanceof Container container && container.children.drainPart(this::add);
            left -= Math.max(1, hadChildren ? stack.size() - before : takeApart(node, left, nowNs));
        }
    }

    /** Gives back so many blocks at most of the topmost node, which has no children; answers how many. */
    private int takeApart(Node node, int limit, long nowNs) {
        int count = NodeBlocks.count(node);
        int given = Math.min(count, limit);
        NodeBlocks.truncate(node, count - given, namespace.blocks(), nowNs);
        if (given == count) {
            stack.pop();
            namespace.forget(node);
        }
        return given;
    }
}

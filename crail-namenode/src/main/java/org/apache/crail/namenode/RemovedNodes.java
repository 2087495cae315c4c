/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Nodes that have been taken out of the tree and still hold blocks. Removing a container takes one step, however much it
 * holds; here it is taken apart, a part at a time, and its blocks go to wait for reclamation. Not thread safe; guarded by
 * the namespace's lock.
 */
final class RemovedNodes {
    private final Deque<Node> stack = new ArrayDeque<>();
    private final Namespace namespace;

    RemovedNodes(Namespace namespace) {
        this.namespace = namespace;
    }

    /** Takes over a node that has been unlinked. */
    void add(Node node) {
        stack.push(node);
    }

    boolean isEmpty() {
        return stack.isEmpty();
    }

    /** Takes apart about {@code limit} nodes; one part of a large container counts as one. */
    void takeApart(int limit, long nowNs) {
        for (int done = 0; done < limit && !stack.isEmpty(); done++) {
            Node node = stack.peek();
            boolean hadChildren = node instanceof Container container && container.children.drainPart(stack::push);
            if (!hadChildren) {
                stack.pop();
                NodeBlocks.truncate(node, 0, namespace.blocks(), nowNs);
                namespace.forget(node);
            }
        }
    }

    /** Visits every node that has not been taken apart. */
    void forEach(Consumer<Node> visitor) {
        Deque<Node> todo = new ArrayDeque<>(stack);
        while (!todo.isEmpty()) {
            Node node = todo.pop();
            visitor.accept(node);
            if (node instanceof Container container) {
                container.children.forEach(todo::push);
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The nodes that go at some time, by that time; those that stay cost nothing here. Not thread safe; needs the
 * namespace's write lock.
 */
final class Expirations {
    private static final Comparator<Node> BY_TIME =
            Comparator.comparingLong(Node::expiresMs).thenComparingLong(node -> node.fd);

    private final NavigableSet<Node> nodes = new TreeSet<>(BY_TIME);

    /** Sets when a node goes, see {@link Node#expiry}; 0 if it stays. */
    void set(Node node, long expiry) {
        if (node.expires()) {
            nodes.remove(node);
        }
        node.expiry = expiry;
        if (node.expires()) {
            nodes.add(node);
        }
    }

    /** The node whose time has been over for longest; null if none's is. */
    Node due(long nowMs) {
        Node first = nodes.isEmpty() ? null : nodes.first();
        return first != null && first.expiresMs() <= nowMs ? first : null;
    }

    /** Whether a node is among those that go, at the time that it knows. */
    boolean has(Node node) {
        return nodes.contains(node);
    }

    /** How many nodes go at some time. */
    int size() {
        return nodes.size();
    }
}

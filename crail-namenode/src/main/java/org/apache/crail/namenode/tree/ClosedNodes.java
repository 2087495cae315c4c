/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Files and key-values in the order of their closes, as far as somebody wants to know; none of them has been forgotten.
 * It consists of segments, so that no call moves all nodes because a table grows. Not thread safe; needs the
 * namespace's write lock.
 */
public final class ClosedNodes {
    private static final int SEGMENTS = 64;

    /** Which number each node was added as; oldest first in each segment. */
    private final Map<Node, Long>[] segments = newSegments();

    private long added;
    private long size;

    ClosedNodes() {}

    @SuppressWarnings("unchecked") // arrays know no type parameters
    private static Map<Node, Long>[] newSegments() {
        return IntStream.range(0, SEGMENTS).mapToObj(i -> new LinkedHashMap<>()).toArray(Map[]::new);
    }

    private Map<Node, Long> segmentOf(Node node) {
        return segments[(int) (node.fd % SEGMENTS)];
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Adds a node behind all others, unless it is here. */
    public void add(Node node) {
        if (segmentOf(node).putIfAbsent(node, added++) == null) {
            size++;
        }
    }

    /** Takes a node out, if it is here. */
    public void remove(Node node) {
        if (size > 0 && segmentOf(node).remove(node) != null) { // asking a node for its hash costs more than the former
            size--;
        }
    }

    /** Takes out the one that was added first, of which there must be one; it may be on its way out of the tree. */
    public Node poll() {
        Map<Node, Long> oldest = null;
        long least = Long.MAX_VALUE;
        for (Map<Node, Long> segment : segments) {
            if (!segment.isEmpty()) {
                long number = segment.values().iterator().next();
                oldest = number < least ? segment : oldest;
                least = Math.min(least, number);
            }
        }
        Iterator<Node> all = oldest.keySet().iterator();
        Node first = all.next();
        all.remove();
        size--;
        return first;
    }
}

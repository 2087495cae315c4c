/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import org.apache.crail.CrailNodeType;

/** A node that holds others: a directory, multi-file or table. Not thread safe, as {@link Node}. */
public final class Container extends Node {
    /** All children, enumerable or not. */
    final ChildTable children = new ChildTable();

    /** See {@link #longestBelow()}. */
    int longestBelow;

    /** See {@link #listedCount()}. */
    int listedCount;

    /** Nodes that are written, and have no place in it yet. */
    int awaited;

    private int longNodesPredicted;

    Container(long fd, CrailNodeType type, boolean isEnumerable, Attributes attributes) {
        super(fd, type, isEnumerable, attributes);
    }

    /** How many children it has, enumerable or not. */
    public int childCount() {
        return children.size();
    }

    /** Whether it has children, or nodes are being written that will be. */
    public boolean isInUse() {
        return childCount() > 0 || awaited > 0;
    }

    /** How many children are listed: those that are enumerable. */
    public int listedCount() {
        return listedCount;
    }

    /**
     * Bytes of the longest path below, from here, each component with its '/'; as long or longer than any, as it
     * shrinks only when the container becomes empty.
     */
    public int longestBelow() {
        return longestBelow;
    }

    /** How many of the next files or values are predicted to be long, or less than 0; for their allocator. */
    public int longNodesPredicted() {
        return longNodesPredicted;
    }

    /** Sets how many of the next files or values are predicted to be long. */
    public void longNodesPredicted(int count) {
        longNodesPredicted = count;
    }
}

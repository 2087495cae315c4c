/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import org.apache.crail.CrailNodeType;

/** A node that holds others: a directory, multi-file or table. Not thread safe, as {@link Node}. */
public final class Container extends Node {
    /** All children, enumerable or not. */
    final ChildTable children = new ChildTable();

    /** See {@link #longestBelow()}. */
    int longestBelow;

    private final SlotTable slots = new SlotTable();
    private int longValuesPredicted;

    Container(long fd, CrailNodeType type, Attributes attributes) {
        super(fd, type, attributes);
    }

    /** How many children it has, enumerable or not. */
    public int childCount() {
        return children.size();
    }

    /** The enumerable children, by the place of their records. */
    public SlotTable slots() {
        return slots;
    }

    /**
     * Bytes of the longest path below, from here, each component with its '/'; as long or longer than any, as it
     * shrinks only when the container becomes empty.
     */
    public int longestBelow() {
        return longestBelow;
    }

    /** How many of the next values are predicted to be long, or less than 0; for their allocator. */
    public int longValuesPredicted() {
        return longValuesPredicted;
    }

    /** Sets how many of the next values are predicted to be long. */
    public void longValuesPredicted(int count) {
        longValuesPredicted = count;
    }
}

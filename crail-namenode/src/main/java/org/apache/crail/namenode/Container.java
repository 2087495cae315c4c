/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.CrailNodeType;

/** A node that holds others: a directory, multi-file or table. Not thread safe, as {@link Node}. */
final class Container extends Node {
    /** All children, enumerable or not. */
    final ChildTable children = new ChildTable();

    /** The enumerable ones, by the place of their records. */
    final SlotTable slots = new SlotTable();

    /** See {@link ValueLengths}. */
    int longValuesForeseen;

    /**
     * Bytes of the longest path below, from here, each component with its '/'; as long or longer than any, as it
     * shrinks only when the container becomes empty.
     */
    int longestBelow;

    Container(long fd, CrailNodeType type, Traits traits) {
        super(fd, type, traits);
    }
}

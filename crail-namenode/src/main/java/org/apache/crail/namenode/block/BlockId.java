/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/**
 * A block as the namenode keeps it: the index of its datanode and its number on it, in one long, so that a file of one
 * block needs no object for it. A part of a block that is shared by small nodes has the number of the part in
 * addition. Stateless.
 */
final class BlockId {
    /** The most parts of a shared block. */
    static final int MOST_PARTS = (1 << 12) - 1;

    /** The highest index of a datanode. */
    static final int MOST_DATANODES = (1 << 20) - 1;

    private static final int DATANODE_SHIFT = 32;
    private static final int PART_SHIFT = 52;

    private BlockId() {}

    /** Packs a block; indexes of datanodes begin with 1, so that no block is {@link BlockStore#NO_BLOCK}. */
    static long of(int datanode, int number) {
        return (long) datanode << DATANODE_SHIFT | number;
    }

    /** Packs a part of a shared block; parts are counted from 0. */
    static long ofPart(int datanode, int number, int part) {
        return (long) (part + 1) << PART_SHIFT | of(datanode, number);
    }

    static int datanode(long block) {
        return (int) (block >>> DATANODE_SHIFT) & MOST_DATANODES;
    }

    static int number(long block) {
        return (int) block;
    }

    static boolean isPart(long block) {
        return block >>> PART_SHIFT != 0;
    }

    static int part(long block) {
        return (int) (block >>> PART_SHIFT) - 1;
    }
}

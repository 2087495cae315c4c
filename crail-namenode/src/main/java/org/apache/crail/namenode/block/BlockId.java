/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/**
 * A block as the namenode keeps it: the index of its datanode and its number on it, in one long, so that a file of one
 * block needs no object for it. Stateless.
 */
final class BlockId {
    private static final int DATANODE_SHIFT = 32;

    private BlockId() {}

    /** Packs a block; indexes of datanodes begin with 1, so that no block is {@link BlockStore#NO_BLOCK}. */
    static long of(int datanode, int number) {
        return (long) datanode << DATANODE_SHIFT | number;
    }

    static int datanode(long block) {
        return (int) (block >>> DATANODE_SHIFT);
    }

    static int number(long block) {
        return (int) block;
    }
}

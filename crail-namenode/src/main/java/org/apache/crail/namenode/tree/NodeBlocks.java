/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import org.apache.crail.namenode.block.BlockStore;

/**
 * The mapping from a position in a node to a block. All knowledge of it is here. A change that makes a location wrong
 * which has been told raises the node's layout; to append a block makes none wrong. Methods that read also work for
 * optimistic readers; those that change need the namespace's write lock. Stateless.
 */
public final class NodeBlocks {
    private NodeBlocks() {}

    /** The index of the block that holds a byte. */
    public static long indexOf(long position, int blockSizeBytes) {
        return position / blockSizeBytes;
    }

    /** How many blocks a node has. */
    public static int count(Node node) {
        BlockList others = node.blocksAfterFirst;
        if (node.firstBlock == BlockStore.NO_BLOCK) {
            return 0;
        }
        return others == null ? 1 : 1 + others.size();
    }

    /** The block with an index, {@link BlockStore#NO_BLOCK} beyond the last. */
    public static long get(Node node, int index) {
        if (index == 0) {
            return node.firstBlock;
        }
        BlockList others = node.blocksAfterFirst;
        return others == null || index > others.size() ? BlockStore.NO_BLOCK : others.get(index - 1);
    }

    /** Adds a block behind the last one. */
    public static void append(Node node, long block) {
        if (node.firstBlock == BlockStore.NO_BLOCK) {
            node.firstBlock = block;
            return;
        }
        if (node.blocksAfterFirst == null) {
            node.blocksAfterFirst = new BlockList();
        }
        node.blocksAfterFirst.add(block);
    }

    /** Puts another block in the place of one. */
    public static void replace(Node node, int index, long block) {
        node.layout++;
        if (index == 0) {
            node.firstBlock = block;
        } else {
            node.blocksAfterFirst.set(index - 1, block);
        }
    }

    /** Gives back the only block of a node at once, in which nobody has written; does nothing if it has more. */
    public static void putBack(Node node, BlockStore blocks) {
        if (count(node) == 1) {
            blocks.putBack(node.firstBlock);
            node.firstBlock = BlockStore.NO_BLOCK;
            node.layout++;
        }
    }

    /** Begins a new epoch of each block from one on, so that late transfers of a former writer are refused. */
    public static void fence(Node node, int from, BlockStore blocks) {
        for (int i = from; i < count(node); i++) {
            blocks.fence(get(node, i));
        }
        node.layout++;
    }

    /** Releases all blocks; the node still tells which they were. */
    static void release(Node node, BlockStore blocks, long nowNs) {
        for (int i = 0; i < count(node); i++) {
            blocks.release(get(node, i), nowNs);
        }
    }

    /** Releases all blocks after the first {@code keep}. */
    static void truncate(Node node, int keep, BlockStore blocks, long nowNs) {
        int count = count(node);
        if (keep < count) {
            node.layout++;
        }
        for (int i = count; i > Math.max(keep, 1); i--) {
            blocks.release(node.blocksAfterFirst.removeLast(), nowNs);
        }
        if (keep <= 1) {
            node.blocksAfterFirst = null;
        }
        if (keep <= 0 && count > 0) {
            blocks.release(node.firstBlock, nowNs);
            node.firstBlock = BlockStore.NO_BLOCK;
        }
    }

    /**
     * Hands all blocks after the first {@code keep}, of which there are some, one at least, over to a node without
     * blocks.
     */
    static void split(Node node, int keep, Node heir) {
        node.layout++;
        heir.blocksAfterFirst = node.blocksAfterFirst.split(keep - 1);
        heir.firstBlock = heir.blocksAfterFirst.removeLast();
        if (keep == 1) {
            node.blocksAfterFirst = null;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.namenode.block.BlockStore;

/**
 * The mapping from a position in a node to a block. All knowledge of it is here. A change that makes a location wrong
 * which has been told raises the node's layout; to append a block makes none wrong. Methods that read also work for
 * optimistic readers; those that change need the namespace's write lock. Stateless.
 */
final class NodeBlocks {
    private NodeBlocks() {}

    /** The index of the block that holds a byte. */
    static long indexOf(long position, int blockSizeBytes) {
        return position / blockSizeBytes;
    }

    /** How many blocks a node has. */
    static int count(Node node) {
        FurtherBlocks further = node.furtherBlocks;
        if (node.firstBlock == BlockStore.NO_BLOCK) {
            return 0;
        }
        return further == null ? 1 : 1 + further.size();
    }

    /** The block with an index, {@link BlockStore#NO_BLOCK} beyond the last. */
    static long get(Node node, int index) {
        if (index == 0) {
            return node.firstBlock;
        }
        FurtherBlocks further = node.furtherBlocks;
        return further == null || index > further.size() ? BlockStore.NO_BLOCK : further.get(index - 1);
    }

    static void append(Node node, long block) {
        if (node.firstBlock == BlockStore.NO_BLOCK) {
            node.firstBlock = block;
            return;
        }
        if (node.furtherBlocks == null) {
            node.furtherBlocks = new FurtherBlocks();
        }
        node.furtherBlocks.add(block);
    }

    /** Puts another block in the place of one. */
    static void replace(Node node, int index, long block) {
        node.layout++;
        if (index == 0) {
            node.firstBlock = block;
        } else {
            node.furtherBlocks.set(index - 1, block);
        }
    }

    /** Gives back the only block of a node at once, in which nobody has written; does nothing if it has more. */
    static void putBack(Node node, BlockStore blocks) {
        if (count(node) == 1) {
            blocks.putBack(node.firstBlock);
            node.firstBlock = BlockStore.NO_BLOCK;
            node.layout++;
        }
    }

    /** Begins a new epoch of each block from one on, so that late transfers of a former writer are refused. */
    static void fence(Node node, int from, BlockStore blocks) {
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
            blocks.release(node.furtherBlocks.removeLast(), nowNs);
        }
        if (keep <= 1) {
            node.furtherBlocks = null;
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
        heir.furtherBlocks = node.furtherBlocks.split(keep - 1);
        heir.firstBlock = heir.furtherBlocks.removeLast();
        if (keep == 1) {
            node.furtherBlocks = null;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.allocation;

import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.NodeBlocks;

/**
 * Gives files and values their first blocks: a small one, or a whole one to those that are thought to become long. Not
 * thread safe; needs the namespace's write lock.
 */
public final class FirstBlockAllocator {
    private final BlockStore blocks;
    private final LengthPredictor lengths;

    /**
     * Makes an allocator.
     *
     * @param smallBlockBytes the size of small blocks, 0 if there are none
     */
    public FirstBlockAllocator(BlockStore blocks, int smallBlockBytes) {
        this.blocks = blocks;
        this.lengths = new LengthPredictor(smallBlockBytes);
    }

    /**
     * Finds a block for a file or value that is about to be created.
     *
     * @param former the node that it is to replace; null if there is none
     * @return {@link BlockStore#NO_BLOCK} if none is free
     */
    public long find(Container parent, Node former, int storageClass, int locationClass, long nowNs) {
        boolean isLong = isPredicted(former) ? lengths.isNextLong(parent) : lengths.isLong(former);
        return find(isLong, storageClass, locationClass, nowNs);
    }

    /** A node is taken to be as long as the one that it replaces, if anything is known of that. */
    private static boolean isPredicted(Node former) {
        return former == null || former.capacityBytes() == 0;
    }

    private long find(boolean isLong, int storageClass, int locationClass, long nowNs) {
        long whole = isLong ? blocks.allocate(storageClass, locationClass, nowNs) : BlockStore.NO_BLOCK;
        return whole == BlockStore.NO_BLOCK ? blocks.allocateSmall(storageClass, locationClass, nowNs) : whole;
    }

    /**
     * Gives a node without blocks the one that was found for it.
     *
     * @param parent the node's, also if the node is not in the tree yet
     * @param former as for {@link #find}
     */
    public void give(Node node, Container parent, Node former, long block) {
        if (block == BlockStore.NO_BLOCK) {
            return; // a container
        }
        NodeBlocks.append(node, block);
        if (isPredicted(former)) {
            lengths.created(parent);
        }
    }

    /**
     * Gives a node that was closed empty, and is now opened for writing or written to, a block if one is free; does
     * nothing for others.
     */
    public void giveAgain(Node node, long nowNs) {
        if (NodeBlocks.count(node) > 0) {
            return;
        }
        boolean isLong = lengths.isNextLong(node.parent());
        long block = find(isLong, node.storageClass(), node.locationClass(), nowNs);
        if (block != BlockStore.NO_BLOCK) {
            give(node, node.parent(), null, block);
        }
    }

    /** A writer has closed a node, whose length is learnt from. */
    public void closed(Node node) {
        lengths.closed(node);
    }
}

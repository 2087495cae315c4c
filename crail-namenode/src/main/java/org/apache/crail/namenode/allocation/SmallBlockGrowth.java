/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.allocation;

import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.NodeBlocks;
import org.apache.crail.namenode.tree.Writer;

/**
 * Lets files and values that outgrow their small block grow into a whole one: the writer copies what it has written,
 * and readers are told of the small block until it has. Not thread safe; needs the namespace's write lock.
 */
public final class SmallBlockGrowth {
    private final BlockAllocator allocator;
    private final BlockStore blocks;
    private final int smallBlockBytes;

    /**
     * Nothing grows.
     *
     * @param smallBlockBytes the size of small blocks
     */
    public SmallBlockGrowth(BlockAllocator allocator, BlockStore blocks, int smallBlockBytes) {
        this.allocator = allocator;
        this.blocks = blocks;
        this.smallBlockBytes = smallBlockBytes;
    }

    /** Whether a node's first block is a small one that does not reach a position. */
    public boolean isOutgrown(Node node, long position) {
        return BlockStore.isSmall(NodeBlocks.get(node, 0)) && position >= smallBlockBytes;
    }

    /** Gives the writer of a node that has outgrown its small block a whole one, once until {@link #finish}. */
    public void allocateWhole(Writer writer, long nowNs) throws NoFreeBlocksException {
        if (!writer.hasWholeBlock()) {
            Node node = writer.node();
            writer.wholeBlock(allocator.allocate(node, nowNs));
        }
    }

    /** The whole block holds all that the small one held: from now on it is the first block. */
    public void finish(Writer writer, long nowNs) {
        Node node = writer.node();
        blocks.release(NodeBlocks.get(node, 0), nowNs);
        NodeBlocks.replace(node, 0, writer.wholeBlock());
        writer.wholeBlock(BlockStore.NO_BLOCK);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.allocation;

import java.util.concurrent.TimeUnit;
import org.apache.crail.error.BlocksPendingException;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.RemovedNodes;

/** Gets blocks for nodes, or says why there is none. Not thread safe; needs the namespace's write lock. */
public final class BlockAllocator {
    private final BlockStore blocks;
    private final RemovedNodes removed;
    private final int blockSizeBytes;
    private final long tokenExpirationNs;

    /**
     * Makes an allocator.
     *
     * @param removed nodes whose blocks are going to be given back
     * @param tokenExpirationNs how long a block waits before it is free again
     */
    public BlockAllocator(BlockStore blocks, RemovedNodes removed, int blockSizeBytes, long tokenExpirationNs) {
        this.blocks = blocks;
        this.removed = removed;
        this.blockSizeBytes = blockSizeBytes;
        this.tokenExpirationNs = tokenExpirationNs;
    }

    /**
     * Allocates a block where a node prefers it.
     *
     * @param purpose says in a message what the block is for
     */
    public long allocate(Node node, Object purpose, long nowNs) throws NoFreeBlocksException {
        return require(blocks.allocate(node.storageClass(), node.locationClass(), nowNs), purpose);
    }

    /**
     * The block that was found for some purpose; fails if that is none.
     *
     * @throws BlocksPendingException if blocks are going to be free by themselves
     */
    public long require(long block, Object purpose) throws NoFreeBlocksException {
        if (block == BlockStore.NO_BLOCK) {
            String message = "no block for " + purpose + ": " + describeShortage();
            throw isReclaiming() ? new BlocksPendingException(message) : new NoFreeBlocksException(message);
        }
        return block;
    }

    /** Whether blocks are going to be free by themselves: they wait, or are about to be given back. */
    private boolean isReclaiming() {
        return blocks.isReclaiming() || !removed.isEmpty();
    }

    private String describeShortage() {
        long registered = blocks.registeredBlocks();
        if (registered == 0) {
            return "no datanode has registered blocks; start a datanode";
        }
        long silent = blocks.freeBlocks();
        return "none of " + registered + " blocks is free"
                + (silent > 0 ? " but " + silent + " of datanodes that are silent" : "")
                + "; a file takes at least one block of " + blockSizeBytes
                + " bytes; delete data, or add datanodes"
                + (isReclaiming()
                        ? ", or wait " + TimeUnit.NANOSECONDS.toMillis(tokenExpirationNs) + " ms for the "
                                + blocks.pendingBlocks() + " blocks that are reclaimed, or parts of shared ones"
                        : "");
    }
}

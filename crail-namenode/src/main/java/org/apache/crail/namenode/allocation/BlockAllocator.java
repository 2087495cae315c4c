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
    private final LastResort lastResort;
    private final int blockSizeBytes;
    private final long tokenExpirationNs;

    /**
     * Makes an allocator.
     *
     * @param removed nodes whose blocks are going to be given back
     * @param lastResort asked when there is no block
     * @param tokenExpirationNs how long a block waits before it is free again
     */
    public BlockAllocator(
            BlockStore blocks,
            RemovedNodes removed,
            LastResort lastResort,
            int blockSizeBytes,
            long tokenExpirationNs) {
        this.blocks = blocks;
        this.removed = removed;
        this.lastResort = lastResort;
        this.blockSizeBytes = blockSizeBytes;
        this.tokenExpirationNs = tokenExpirationNs;
    }

    /** Allocates a block where a node prefers it. */
    public long allocate(Node node, long nowNs) throws NoFreeBlocksException {
        return require(tryAllocate(node, nowNs), node, nowNs);
    }

    /** As {@link #allocate}, for a block that nobody needs yet; {@link BlockStore#NO_BLOCK} if none is free. */
    public long tryAllocate(Node node, long nowNs) {
        return blocks.allocate(node.storageClass(), node.locationClass(), nowNs);
    }

    /**
     * The block that was found; fails if that is none.
     *
     * @param purpose says in a message what the block is for: a node or its path
     * @throws BlocksPendingException if blocks are going to be free by themselves
     */
    public long require(long block, Object purpose, long nowNs) throws NoFreeBlocksException {
        if (block == BlockStore.NO_BLOCK) {
            lastResort.makeRoom(nowNs);
            boolean isComing = blocks.isReclaiming() || !removed.isEmpty();
            String message = "no block for " + purpose + ": " + describeShortage(isComing);
            throw isComing ? new BlocksPendingException(message) : new NoFreeBlocksException(message);
        }
        return block;
    }

    /** Removes what may be removed when a request has found no block. */
    @FunctionalInterface
    public interface LastResort {
        /** Makes room, unless enough of it waits. */
        void makeRoom(long nowNs);
    }

    private String describeShortage(boolean isComing) {
        long registered = blocks.registeredBlocks();
        if (registered == 0) {
            return "no datanode has registered blocks; start a datanode";
        }
        long silent = blocks.freeBlocks();
        return "none of " + registered + " blocks is free"
                + (silent > 0 ? " but " + silent + " of datanodes that are silent" : "")
                + "; a block has " + blockSizeBytes + " bytes; delete data, or add datanodes"
                + (isComing
                        ? ", or wait " + TimeUnit.NANOSECONDS.toMillis(tokenExpirationNs) + " ms for the "
                                + blocks.pendingBlocks() + " blocks that are reclaimed, or parts of shared ones"
                        : "");
    }
}

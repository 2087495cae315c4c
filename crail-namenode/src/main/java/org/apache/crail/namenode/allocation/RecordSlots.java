/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.allocation;

import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.NodeBlocks;
import org.apache.crail.namenode.tree.RemovedNodes;

/**
 * Places of directory records in containers, and the blocks that hold them. Not thread safe; needs the namespace's
 * write lock.
 */
public final class RecordSlots {
    /** Blocks kept beyond those in use, so that a container that grows and shrinks by one does not go through many. */
    private static final int SPARE_BLOCKS = 1;

    private final BlockAllocator allocator;
    private final RemovedNodes removed;
    private final BlockStore blocks;
    private final int perBlock;

    /**
     * Makes what chooses places.
     *
     * @param removed takes blocks that are needed no more
     * @param perBlock how many records a block holds
     */
    public RecordSlots(BlockAllocator allocator, RemovedNodes removed, BlockStore blocks, int perBlock) {
        this.allocator = allocator;
        this.removed = removed;
        this.blocks = blocks;
        this.perBlock = perBlock;
    }

    /**
     * Chooses the slot for a new child: the lowest free one whose block can be reached, so that the loss of a datanode
     * does not keep anybody from creating nodes.
     */
    public int choose(Container parent) {
        int slot = parent.slots().firstFree(0);
        while (!isWritable(parent, slot)) {
            slot = parent.slots().firstFree((slot / perBlock + 1) * perBlock);
        }
        return slot;
    }

    /**
     * As {@link #choose(Container)}, but takes over the slot of a node that is replaced, if it can be written there.
     */
    public int choose(Container parent, Node replaced) {
        boolean takeOver = replaced != null && replaced.isEnumerable() && isWritable(parent, replaced.slot());
        return takeOver ? replaced.slot() : choose(parent);
    }

    /** Whether a record can be written to a slot: its block can be reached, or is yet to be allocated. */
    private boolean isWritable(Container parent, int slot) {
        int index = slot / perBlock;
        return index >= NodeBlocks.count(parent) || blocks.isReachable(NodeBlocks.get(parent, index));
    }

    /**
     * Allocates the block that holds a chosen slot unless the container has it; changes nothing if it fails.
     *
     * @param child whose text says in a message whose record it is
     */
    public void ensureBlock(Container parent, int slot, Object child, long nowNs) throws NoFreeBlocksException {
        if (slot / perBlock >= NodeBlocks.count(parent)) {
            NodeBlocks.append(parent, allocator.allocate(parent, "the record of " + child, nowNs));
        }
    }

    /** Puts a child into a slot that {@link #ensureBlock} has prepared. */
    public void occupy(Container parent, Node child, int slot) {
        child.slot(slot);
        if (slot != FileInfo.NO_SLOT) {
            parent.slots().put(slot, child);
        }
    }

    /** Frees a slot, if the child is still in it, and blocks that the container needs no more. */
    public void vacate(Container parent, Node child, int slot, long nowNs) {
        if (slot == FileInfo.NO_SLOT || parent.slots().get(slot) != child) {
            return;
        }
        parent.slots().clear(slot);
        int needed = (parent.slots().end() + perBlock - 1) / perBlock;
        if (NodeBlocks.count(parent) > needed + SPARE_BLOCKS) {
            removed.truncate(parent, needed + SPARE_BLOCKS, nowNs);
        }
    }
}

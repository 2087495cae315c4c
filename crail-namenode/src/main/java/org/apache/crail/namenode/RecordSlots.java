/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.RecordPlace;

/**
 * Places of directory records in containers, and the blocks that hold them. Not thread safe; needs the namespace's
 * write lock.
 */
final class RecordSlots {
    /** Blocks kept beyond those in use, so that a container that grows and shrinks by one does not go through many. */
    private static final int SPARE_BLOCKS = 1;

    private final Namespace namespace;
    private final int perBlock;

    RecordSlots(Namespace namespace) {
        this.namespace = namespace;
        this.perBlock = namespace.settings().recordsPerBlock();
    }

    /**
     * Chooses the slot for a new child: the lowest free one whose block can be reached, so that the loss of a datanode
     * does not keep anybody from creating nodes.
     */
    int choose(Container parent) {
        int slot = parent.slots.firstFree(0);
        while (!isWritable(parent, slot)) {
            slot = parent.slots.firstFree((slot / perBlock + 1) * perBlock);
        }
        return slot;
    }

    /**
     * As {@link #choose(Container)}, but takes over the slot of a node that is replaced, if it can be written there.
     */
    int choose(Container parent, Node replaced) {
        boolean takeOver = replaced != null && replaced.slot != FileInfo.NO_SLOT && isWritable(parent, replaced.slot);
        return takeOver ? replaced.slot : choose(parent);
    }

    /** Whether a record can be written to a slot: its block can be reached, or is yet to be allocated. */
    boolean isWritable(Container parent, int slot) {
        int index = slot / perBlock;
        return index >= NodeBlocks.count(parent) || namespace.blocks().isReachable(NodeBlocks.get(parent, index));
    }

    /**
     * Allocates the block that holds a chosen slot unless the container has it; changes nothing if it fails.
     *
     * @param child whose text says in a message whose record it is
     */
    void ensureBlock(Container parent, int slot, Object child) throws NoFreeBlocksException {
        if (slot / perBlock >= NodeBlocks.count(parent)) {
            NodeBlocks.append(
                    parent,
                    namespace.allocate(
                            parent.traits.storageClass, parent.traits.locationClass, "the record of " + child));
        }
    }

    /** Where the record of a child is to be written; null for a child that is not enumerable. */
    RecordPlace recordPlace(Container parent, int slot) {
        return slot == FileInfo.NO_SLOT
                ? null
                : new RecordPlace(parent.fd, slot, namespace.locate(parent, slot / perBlock));
    }

    /** Puts a child into a slot that {@link #ensureBlock} has prepared. */
    void occupy(Container parent, Node child, int slot) {
        child.slot = slot;
        if (slot != FileInfo.NO_SLOT) {
            parent.slots.put(slot, child);
        }
    }

    /** Frees a slot, if the child is still in it, and blocks that the container needs no more. */
    void vacate(Container parent, Node child, int slot) {
        if (slot == FileInfo.NO_SLOT || parent.slots.get(slot) != child) {
            return;
        }
        parent.slots.clear(slot);
        int needed = (parent.slots.end() + perBlock - 1) / perBlock;
        if (NodeBlocks.count(parent) > needed + SPARE_BLOCKS) {
            namespace.truncate(parent, needed + SPARE_BLOCKS);
        }
    }
}

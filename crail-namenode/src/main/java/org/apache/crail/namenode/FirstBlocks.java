/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.rpc.message.CreateRequest;

/**
 * Gives files and values their first blocks; which of them begin in a part of a shared block is decided here. Not
 * thread safe; needs the namespace's write lock.
 */
final class FirstBlocks {
    private final Namespace namespace;

    FirstBlocks(Namespace namespace) {
        this.namespace = namespace;
    }

    /**
     * Finds a block for a node that is about to be created.
     *
     * @param former the node that it is to replace; null if there is none
     * @return {@link BlockStore#NO_BLOCK} for a container
     */
    long allocate(CreateRequest request, Container parent, Node former, int storageClass, int locationClass)
            throws NoFreeBlocksException {
        if (request.type().isContainer()) {
            return BlockStore.NO_BLOCK;
        }
        boolean mayBePart = request.type().isKeyValue();
        boolean isLong = isGuess(former)
                ? namespace.valueLengths().isNextLong(parent)
                : namespace.valueLengths().isLong(former);
        return namespace.require(find(mayBePart, isLong, storageClass, locationClass), request.path());
    }

    /** A value is taken to be as long as the one that it replaces, if anything is known of that. */
    private static boolean isGuess(Node former) {
        return former == null || former.capacityBytes == 0;
    }

    /** A value that is thought to become long gets a whole block if there is one. */
    private long find(boolean mayBePart, boolean isLong, int storageClass, int locationClass) {
        BlockStore blocks = namespace.blocks();
        long nowNs = namespace.nowNs();
        long whole = mayBePart && !isLong ? BlockStore.NO_BLOCK : blocks.allocate(storageClass, locationClass, nowNs);
        return mayBePart && whole == BlockStore.NO_BLOCK
                ? blocks.allocateSmall(storageClass, locationClass, nowNs)
                : whole;
    }

    /**
     * Gives a node without blocks the one that was found for it.
     *
     * @param parent the node's, also if the node is not in the tree yet
     * @param former as for {@link #allocate}
     */
    void give(Node node, Container parent, Node former, long block) {
        if (block != BlockStore.NO_BLOCK) {
            NodeBlocks.append(node, block);
        }
        if (isGuess(former) && node.type().isKeyValue()) {
            namespace.valueLengths().created(parent);
        }
    }

    /**
     * Gives a node that was closed empty, and is now opened for writing or written to, a block if one is free; does
     * nothing for others.
     */
    void giveAgain(Node node) {
        if (node.firstBlock != BlockStore.NO_BLOCK) {
            return;
        }
        boolean mayBePart = node.type().isKeyValue();
        boolean isLong = mayBePart && namespace.valueLengths().isNextLong(node.parent);
        long block = find(mayBePart, isLong, node.traits.storageClass, node.traits.locationClass);
        if (block != BlockStore.NO_BLOCK) {
            give(node, node.parent, null, block);
        }
    }
}

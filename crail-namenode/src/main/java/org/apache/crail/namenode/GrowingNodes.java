/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.HashMap;
import java.util.Map;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.namenode.block.BlockStore;

/**
 * Values that have become too long for their part of a shared block, and the whole blocks to which their writers copy what
 * they have. Readers are told of the part until the writer syncs more than the part holds. Not thread safe; guarded by the
 * namespace's write lock.
 */
final class GrowingNodes {
    private final Namespace namespace;
    private final Map<Long, Long> wholeBlocks = new HashMap<>();

    GrowingNodes(Namespace namespace) {
        this.namespace = namespace;
    }

    /** Whether the node's first block is a part of a shared one that does not reach a position. */
    boolean isNeededFor(Node node, long position) {
        return BlockStore.isSmall(node.firstBlock)
                && position >= namespace.settings().smallBlockBytes();
    }

    /**
     * The whole block of a node that needs one; the same one until it has grown. A node that finds none gives way to the value that
     * it has replaced, see {@link ReplacedValues}.
     */
    long wholeBlock(Node node) throws NoFreeBlocksException {
        Long known = wholeBlocks.get(node.fd);
        if (known != null) {
            return known;
        }
        try {
            long block = namespace.allocate(node.traits.storageClass, node.traits.locationClass, "node " + node.fd);
            wholeBlocks.put(node.fd, block);
            return block;
        } catch (NoFreeBlocksException e) {
            throw namespace.replacedValues().restore(node)
                    ? new NoFreeBlocksException(e.getMessage() + "; the value that it has replaced is back", e)
                    : e;
        }
    }

    /** The whole block of a node, {@link BlockStore#NO_BLOCK} if it has none. */
    long get(Node node) {
        return wholeBlocks.getOrDefault(node.fd, BlockStore.NO_BLOCK);
    }

    /** The whole block holds all that the part held: from now on it is the first block. */
    void finish(Node node) {
        namespace.blocks().release(node.firstBlock, namespace.nowNs());
        NodeBlocks.replace(node, 0, wholeBlocks.remove(node.fd));
    }

    /** The writer has stopped or vanished before it had copied everything; does nothing for others. */
    void giveUp(Node node) {
        Long block = wholeBlocks.isEmpty() ? null : wholeBlocks.remove(node.fd);
        if (block != null) {
            namespace.blocks().release(block, namespace.nowNs());
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.namenode.block.BlockStore;

/**
 * Nodes of several blocks that were replaced a short time ago. Whoever has looked such a node up may still ask where
 * its further blocks lie, so that it is read as a whole; the blocks wait for reclamation for twice as long. {@link
 * #find} also works for optimistic readers; all else needs the namespace's write lock.
 */
public final class ReplacedNodes {
    /** Nodes of more blocks are not kept, as they would be for a moment of their reading only. */
    private static final int MOST_BLOCKS = 4096;

    private final Map<Long, Replaced> byFd = new ConcurrentHashMap<>();
    private final Queue<Replaced> byTime = new ArrayDeque<>();
    private final Tree tree;
    private final Writers writers;
    private final RemovedNodes removed;
    private final BlockStore blocks;
    private final long tokenExpirationNs;

    /** No node has been replaced. */
    public ReplacedNodes(Tree tree, Writers writers, RemovedNodes removed, BlockStore blocks, long tokenExpirationNs) {
        this.tree = tree;
        this.writers = writers;
        this.removed = removed;
        this.blocks = blocks;
        this.tokenExpirationNs = tokenExpirationNs;
    }

    private record Replaced(Node node, long endNs) {}

    /** Ends a node that was unlinked because another one has taken its path. */
    public void add(Node node, long nowNs) {
        if (isKept(node)) {
            keep(node, nowNs);
            writers.giveBack(node, nowNs);
            tree.forget(node);
        } else {
            removed.add(node, nowNs);
        }
    }

    /**
     * Whether a node that has been replaced is to be kept here. All its blocks must be going to wait, as nothing keeps
     * the name of a block of a datanode that is gone from being given to another one.
     */
    private boolean isKept(Node node) {
        int count = NodeBlocks.count(node);
        boolean isKept = count > 1 && count <= MOST_BLOCKS;
        for (int i = 0; i < count && isKept; i++) {
            isKept = blocks.mayReturn(NodeBlocks.get(node, i));
        }
        return isKept;
    }

    /** Releases the blocks of a node, and keeps in mind which they are. */
    private void keep(Node node, long nowNs) {
        NodeBlocks.release(node, blocks, nowNs);
        // Leases of half a token's life that are given out before half of it is over end before the blocks are
        // reclaimed.
        Replaced replaced = new Replaced(node, nowNs + tokenExpirationNs / 2);
        byFd.put(node.fd, replaced);
        byTime.add(replaced);
    }

    /** The node with an id, or null. */
    public Node find(long fd, long nowNs) {
        Replaced replaced = byFd.isEmpty() ? null : byFd.get(fd);
        return replaced != null && nowNs - replaced.endNs < 0 ? replaced.node : null;
    }

    /** Forgets nodes whose time is over, at most {@code limit}. */
    public void forgetDue(int limit, long nowNs) {
        for (int i = 0; i < limit && !byTime.isEmpty() && nowNs - byTime.peek().endNs >= 0; i++) {
            byFd.remove(byTime.poll().node.fd);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import org.apache.crail.namenode.block.BlockStore;

/**
 * The holder of a node's write token, and what it has begun and not finished. Not thread safe; guarded by the
 * namespace's write lock.
 */
public final class Writer {
    final Node node;
    final long token;

    boolean isPlaced = true;
    long wholeBlock = BlockStore.NO_BLOCK;

    /** When the token expires, by the namenode's clock. */
    long dueNs;

    /** When it was used last, in the time for which the namenode ran. */
    long usedRunningNs;

    /** Neighbours in the list of {@link Writers}. */
    Writer earlier;

    Writer later;

    private boolean isPut;
    private boolean isRefused;

    /** The writer of a node that has its place, unless it is told otherwise. */
    Writer(Node node, long token, boolean isPut) {
        this.node = node;
        this.token = token;
        this.isPut = isPut;
    }

    /** What it writes. */
    public Node node() {
        return node;
    }

    /** The write token. */
    public long token() {
        return token;
    }

    /** When the token expires, by the namenode's clock. */
    public long dueNs() {
        return dueNs;
    }

    /**
     * Whether it has created the node, and has not ended. Then a node that is replaced meanwhile takes its place again
     * when it is closed.
     */
    public boolean isPut() {
        return isPut;
    }

    /** The writer has ended what it began with the creation of the node. */
    public void endPut() {
        isPut = false;
    }

    /** Whether the node has its place in the tree. */
    public boolean isPlaced() {
        return isPlaced;
    }

    /** The node has got its place. */
    public void takePlace() {
        giveUpPlace();
        isPlaced = true;
    }

    /** The node waits for a place no longer; does nothing if it has it. Its parent must still be known. */
    public void giveUpPlace() {
        if (!isPlaced) {
            node.parent.awaited--;
        }
    }

    /** The node has no place, and may get it later. */
    public void awaitPlace() {
        isPlaced = false;
        node.parent.awaited++;
    }

    /** Whether a node that has outgrown its small block is being copied to a whole one. */
    public boolean hasWholeBlock() {
        return wholeBlock != BlockStore.NO_BLOCK;
    }

    /**
     * The whole block to which a node that has outgrown its small block is being copied; {@link BlockStore#NO_BLOCK}
     * if it is not. Readers are told of the small block until the writer syncs more than it holds.
     */
    public long wholeBlock() {
        return wholeBlock;
    }

    /** Sets the block to which the node is being copied. */
    public void wholeBlock(long block) {
        wholeBlock = block;
    }

    /** Whether there was no block for it when it asked last, nor would one be free by itself. */
    public boolean isRefused() {
        return isRefused;
    }

    /** Notes whether there was no block for it. */
    public void refused(boolean refused) {
        isRefused = refused;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.namenode.block.BlockStore;

/**
 * The holder of a node's write token, and what it has begun and not finished. Not thread safe; guarded by the
 * namespace's write lock.
 */
final class Writer {
    final Node node;
    final long token;

    /**
     * Whether it has created the node, and has not ended. Then a node that is replaced meanwhile takes its place again
     * when it is closed.
     */
    boolean isPut;

    /** Whether the node has its place in the tree. */
    boolean isPlaced = true;

    /** Whether the parent is going to list the node when it gets its place. */
    boolean enumerable;

    /**
     * The whole block to which a value that has outgrown its part of a shared block is being copied;
     * {@link BlockStore#NO_BLOCK} if it is not. Readers are told of the part until the writer syncs more than it holds.
     */
    long wholeBlock = BlockStore.NO_BLOCK;

    /** Whether there was no block for it when it asked last, nor would one be free by itself. */
    boolean isRefused;

    /** When the token expires, by the namenode's clock. */
    long dueNs;

    /** When it was used last, in the time for which the namenode ran. */
    long usedRunningNs;

    /** Neighbours in the list of {@link Writers}. */
    Writer earlier;

    Writer later;

    /** The writer of a node that has its place, unless it is told otherwise. */
    Writer(Node node, long token, boolean isPut) {
        this.node = node;
        this.token = token;
        this.isPut = isPut;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Keeps writes of earlier allocations out of the blocks of a region. It knows the highest epoch seen for each block, and
 * which blocks are being written at this moment: a higher epoch is admitted only when no byte of a lower one can come any
 * more. Thread safe.
 */
final class BlockFence {
    private final AtomicLongArray epochs;
    private final AtomicIntegerArray writers;

    BlockFence(int blocks) {
        this.epochs = new AtomicLongArray(blocks);
        this.writers = new AtomicIntegerArray(blocks);
    }

    /** Whether transfers of this epoch are admitted; they are unless a higher one has been. */
    boolean admit(int block, long epoch) {
        long seen = epochs.get(block);
        while (seen < epoch) {
            if (epochs.compareAndSet(block, seen, epoch)) {
                awaitWriters(block);
                return true;
            }
            seen = epochs.get(block);
        }
        return seen == epoch;
    }

    /** Does not last: who has entered leaves after one read of a socket, and nobody enters with a lower epoch any more. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
    private void awaitWriters(int block) {
        while (writers.get(block) > 0) {
            Thread.yield();
        }
    }

    /** Begins to write bytes of this epoch, unless a higher one has been admitted; to be ended soon, by {@link #leave}. */
    boolean enter(int block, long epoch) {
        writers.incrementAndGet(block);
        if (isCurrent(block, epoch)) {
            return true;
        }
        leave(block);
        return false;
    }

    void leave(int block) {
        writers.decrementAndGet(block);
    }

    /** Whether no higher epoch has been admitted. */
    boolean isCurrent(int block, long epoch) {
        return epochs.get(block) == epoch;
    }

    /** The highest epoch that has been admitted. */
    long seen(int block) {
        return epochs.get(block);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.util.concurrent.atomic.AtomicLongArray;

/** The highest epoch seen for each block of a region. Thread safe. */
final class BlockEpochs {
    private final AtomicLongArray epochs;

    BlockEpochs(int blocks) {
        this.epochs = new AtomicLongArray(blocks);
    }

    /** Notes the epoch; whether a transfer of this epoch is current. */
    boolean admit(int block, long epoch) {
        long seen = epochs.get(block);
        while (seen < epoch) {
            if (epochs.compareAndSet(block, seen, epoch)) {
                return true;
            }
            seen = epochs.get(block);
        }
        return seen == epoch;
    }

    /** Whether a transfer of this epoch still is current. */
    boolean isCurrent(int block, long epoch) {
        return epochs.get(block) == epoch;
    }

    long seen(int block) {
        return epochs.get(block);
    }
}

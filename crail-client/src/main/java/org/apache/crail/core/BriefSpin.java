/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Looks for an answer for about as long as two changes of threads take, without giving the processor to another thread: who can take the answer by itself then
 * need not change at all, if the other end has a processor of its own (Karlin et al., "Empirical Studies of Competitive Spinning for a Shared-Memory Multiprocessor",
 * SOSP 1991). Where that was in vain the next threads do not try, one at first, and twice as many and one more each time, so that it costs hardly anything where both ends share a processor.
 * Thread safe.
 */
final class BriefSpin {
    /** The one of this process, as all its threads share the processors. */
    static final BriefSpin OF_PROCESS = new BriefSpin(System::nanoTime);

    static final long LIMIT_NS = 3_000;

    /** So many threads at most do not try after one that did in vain. */
    static final int MOST_SKIPPED = 127;

    private final LongSupplier clockNs;
    // of two changes at the same time one may be lost, which does not matter
    private volatile int skips; // that are left
    private volatile int lastSkips;

    BriefSpin(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /** Returns when the answer has come, or after a moment, or at once if that is not worth while. */
    void until(BooleanSupplier hasCome) {
        int left = skips;
        if (left > 0) {
            skips = left - 1;
        } else if (!hasCome.getAsBoolean()) { // what has come already tells nothing
            learn(comesInTime(hasCome));
        }
    }

    /** An answer that was there when this thread got the processor back, which was taken from it, is late. */
    private boolean comesInTime(BooleanSupplier hasCome) {
        long startNs = clockNs.getAsLong();
        boolean isHere;
        boolean isInTime;
        do {
            Thread.onSpinWait();
            isHere = hasCome.getAsBoolean();
            isInTime = clockNs.getAsLong() - startNs < LIMIT_NS;
        } while (!isHere && isInTime);
        return isInTime;
    }

    private void learn(boolean cameInTime) {
        if (!cameInTime) {
            lastSkips = Math.min(MOST_SKIPPED, 2 * lastSkips + 1);
            skips = lastSkips;
        } else if (lastSkips != 0) {
            lastSkips = 0;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Looks for an answer for a moment without giving the processor to another thread, for who can take the answer by itself: if the other end has a processor of its own, no thread need
 * change at all. A moment is a small multiple of what would be lost otherwise, the time of changing to another thread and back (Karlin et al., "Empirical Studies of Competitive Spinning for a
 * Shared-Memory Multiprocessor", SOSP 1991). Where that was in vain the next threads do not try, one at first, and twice as many and one more each time, so that it costs
 * little where both ends share a processor. Thread safe.
 */
final class BriefSpin {
    /** Two changes of threads took 1 to 2 us on the machines where it was measured. */
    static final long LIMIT_NS = 3_000;

    /** So many threads at most do not try after one that did in vain. */
    static final int MOST_SKIPPED = 127;

    private final LongSupplier clockNs;
    // of two changes at the same time one may be lost, which does not matter
    private volatile int skips; // that are left
    private volatile int lastSkips;

    BriefSpin() {
        this(System::nanoTime);
    }

    BriefSpin(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /** Returns when the answer has come, or after a moment, or at once if that is not worth while; whether it has come. */
    boolean until(BooleanSupplier hasCome) {
        if (hasCome.getAsBoolean()) {
            return true; // which tells nothing
        }
        int left = skips;
        if (left > 0) {
            skips = left - 1;
            return false;
        }
        return spin(hasCome);
    }

    /** Late is also an answer that came while another thread had the processor, beyond the limit. */
    private boolean spin(BooleanSupplier hasCome) {
        long startNs = clockNs.getAsLong();
        boolean isInTime;
        boolean isHere;
        do {
            Thread.onSpinWait();
            // before the look, in which runs what is chained to the answer
            isInTime = clockNs.getAsLong() - startNs < LIMIT_NS;
            isHere = hasCome.getAsBoolean();
        } while (!isHere && isInTime);
        learn(isInTime);
        return isHere;
    }

    private void learn(boolean cameInTime) {
        if (cameInTime) {
            if (lastSkips != 0) {
                lastSkips = 0;
                skips = 0;
            }
        } else if (skips == 0) { // or another one has learnt it at the same time
            lastSkips = Math.min(MOST_SKIPPED, 2 * lastSkips + 1);
            skips = lastSkips;
        }
    }
}

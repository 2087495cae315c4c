/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Lets an event loop look for events a short while before it sleeps, since waking up takes longer than a small message
 * does. It looks only if the last pause was a short one, whether the loop looked or slept in it, so a loop with little to do
 * sleeps at once, and lets every thread that wants the processor go first. Where such a thread keeps the processor, a loop that
 * sleeps gets it back sooner than one that looks; so then the loop does not look for some time, and for longer if that happens again.
 * Confined to its event loop.
 */
final class SpinThenWait implements SelectStrategy {
    /** Some round trips: who asks two servers in turn lets one of them wait while the other answers. */
    static final long LIMIT_NS = 200_000;

    /** When another thread has kept the processor, the loop does not look for so many times as long: at first, and at most. */
    static final int LEAST_CAUTION = 2;

    static final int MOST_CAUTION = 128;

    private final LongSupplier clockNs;
    private long idleSinceNs;
    private boolean idle;
    private boolean slept; // in this pause, which has ended with that
    private boolean lastPauseWasShort;
    private boolean crowded;
    private long crowdedUntilNs;
    private int caution = LEAST_CAUTION;

    SpinThenWait() {
        this(System::nanoTime);
    }

    SpinThenWait(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /** Somebody waits for an answer now: it is looked for, however long the last one took. */
    void expectAnswer() {
        idle = false;
        slept = false;
        lastPauseWasShort = true;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        int ready = selectNow.get();
        boolean isBusy = ready > 0 || hasTasks;
        if (isBusy || slept) {
            endPause();
        }
        if (isBusy) {
            return ready;
        }
        long nowNs = clockNs.getAsLong();
        if (!idle) {
            idle = true;
            idleSinceNs = nowNs;
        }
        if (!lastPauseWasShort || nowNs - idleSinceNs > LIMIT_NS || isCrowded(nowNs)) {
            slept = true;
            return SELECT;
        }
        Thread.yield();
        long awayNs = clockNs.getAsLong() - nowNs;
        if (awayNs > LIMIT_NS) {
            crowded = true;
            crowdedUntilNs = nowNs + caution * awayNs;
            caution = Math.min(MOST_CAUTION, 2 * caution);
        }
        return CONTINUE;
    }

    private boolean isCrowded(long nowNs) {
        if (crowded && nowNs - crowdedUntilNs > 0) {
            crowded = false;
        }
        return crowded;
    }

    private void endPause() {
        if (idle) {
            idle = false;
            lastPauseWasShort = clockNs.getAsLong() - idleSinceNs <= LIMIT_NS;
            if (lastPauseWasShort && !slept) {
                caution = LEAST_CAUTION; // looking was right
            }
        }
        slept = false;
    }
}

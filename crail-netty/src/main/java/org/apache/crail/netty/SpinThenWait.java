/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Lets an event loop look for events a short while before it sleeps, since waking up takes longer than a small message
 * does. It looks only if the last pause was a short one, so a loop with little to do sleeps at once, and lets every thread
 * that wants the processor go first. Confined to its event loop.
 */
final class SpinThenWait implements SelectStrategy {
    static final long LIMIT_NS = 50_000;

    private final LongSupplier clockNs;
    private long idleSinceNs;
    private boolean idle;
    private boolean lastPauseWasShort;

    SpinThenWait() {
        this(System::nanoTime);
    }

    SpinThenWait(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /** Somebody waits for an answer now: it is looked for, however long the last one took. */
    void expectAnswer() {
        idle = false;
        lastPauseWasShort = true;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        int ready = selectNow.get();
        if (ready > 0 || hasTasks) {
            endPause();
            return ready;
        }
        if (!idle) {
            idle = true;
            idleSinceNs = clockNs.getAsLong();
        }
        if (!lastPauseWasShort || isLong()) {
            return SELECT;
        }
        Thread.yield();
        return CONTINUE;
    }

    private void endPause() {
        if (idle) {
            idle = false;
            lastPauseWasShort = !isLong();
        }
    }

    private boolean isLong() {
        return clockNs.getAsLong() - idleSinceNs > LIMIT_NS;
    }
}

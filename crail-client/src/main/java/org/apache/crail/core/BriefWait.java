/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Waits for answers that come soon without going to sleep, as waking up takes about as long as the network does. As many threads do so as have lately got
 * their answers in time, but one at least (additive increase, multiplicative decrease; Chiu and Jain, 1989); each lets every other that wants the processor go first.
 * Further ones sleep at once. Thread safe.
 */
final class BriefWait {
    /** The one of this process, as all its threads share the processors. */
    static final BriefWait OF_PROCESS = new BriefWait(System::nanoTime);

    /** The longest wait. */
    static final long LIMIT_NS = 200_000;

    /** So many threads at most. */
    static final int MOST_THREADS = 64;

    private final LongSupplier clockNs;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile int allowed = 1; // that one of two changes at the same time is lost does not matter

    BriefWait(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /** Returns when the future is done, or after a short while, or at once if enough other threads are waiting like this. */
    void until(CompletableFuture<?> future) {
        if (future.isDone()) {
            return;
        }
        int most = allowed;
        int place = waiting.incrementAndGet();
        try {
            if (place <= most) {
                learn(comesInTime(future), place == most);
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
    private boolean comesInTime(CompletableFuture<?> future) {
        long startNs = clockNs.getAsLong();
        while (!future.isDone()) {
            if (clockNs.getAsLong() - startNs >= LIMIT_NS) {
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    private void learn(boolean cameInTime, boolean wasLast) {
        if (!cameInTime) {
            allowed = Math.max(1, allowed / 2);
        } else if (wasLast) {
            allowed = Math.min(MOST_THREADS, allowed + 1);
        }
    }
}

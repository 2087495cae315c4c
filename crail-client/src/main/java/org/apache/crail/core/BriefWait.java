/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Waits for answers that come soon without going to sleep, as waking up takes about as long as the network does. As many threads do so as have lately got
 * their answers in time, but one at least: one more when all that may have got them, one less when one has not. Those that
 * were waiting at the time count as that one, since one busy thread makes them all late. Each lets every other that wants the processor go first; further ones sleep at once. Thread safe.
 */
final class BriefWait {
    /** The one of this process, as all its threads share the processors. */
    static final BriefWait OF_PROCESS = new BriefWait(System::nanoTime);

    /** So many threads at most. */
    static final int MOST_THREADS = 64;

    /** The longest wait while no others begin. */
    static final long LIMIT_NS = 200_000;

    /**
     * So much longer for each wait that other threads begin meanwhile, also of those that sleep at once, as they may have the processor first; for {@link #MOST_THREADS} at
     * most.
     */
    static final long LIMIT_OF_OTHERS_NS = 10_000;

    /** The longest wait of all. */
    static final long MOST_NS = LIMIT_NS + MOST_THREADS * LIMIT_OF_OTHERS_NS;

    private final LongSupplier clockNs;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong begunWhenLate = new AtomicLong(); // so many waits had begun when one was last late
    private volatile int allowed = 1; // that one of two changes at the same time is lost does not matter

    BriefWait(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /** Returns when the answer has come, or after a short while, or at once if enough other threads are waiting like this. */
    void until(BooleanSupplier hasCome) {
        if (!hasCome.getAsBoolean()) {
            await(hasCome, begun.incrementAndGet());
        }
    }

    /** As {@link #until(BooleanSupplier)}, but spins first, also if enough others are waiting. */
    void until(BooleanSupplier hasCome, BriefSpin spin) {
        long number = begun.incrementAndGet(); // whether it spins or not, which only lengthens limits
        if (!spin.until(hasCome)) {
            await(hasCome, number);
        }
    }

    private void await(BooleanSupplier hasCome, long number) {
        int most = allowed;
        int place = waiting.incrementAndGet();
        try {
            if (place <= most) {
                learn(comesInTime(hasCome, number), place == most, number);
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** Late is also an answer that was there when this thread got the processor back beyond the limit, from a busy one: as if it had slept. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
    private boolean comesInTime(BooleanSupplier hasCome, long number) {
        long startNs = clockNs.getAsLong();
        boolean isHere;
        boolean isInTime;
        do {
            Thread.yield();
            isHere = hasCome.getAsBoolean();
            isInTime = clockNs.getAsLong() - startNs < limitNs(begun.get() - number);
        } while (!isHere && isInTime);
        return isInTime;
    }

    private static long limitNs(long others) {
        return LIMIT_NS + Math.min(others, MOST_THREADS) * LIMIT_OF_OTHERS_NS;
    }

    private void learn(boolean cameInTime, boolean wasLast, long number) {
        if (cameInTime) {
            if (wasLast) {
                allowed = Math.min(MOST_THREADS, allowed + 1);
            }
            return;
        }
        long before = begunWhenLate.get();
        if (number > before && begunWhenLate.compareAndSet(before, begun.get())) {
            allowed = Math.max(1, allowed - 1);
        }
    }
}

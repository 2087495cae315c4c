/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.works;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * The load that all systems are given: an operation again and again, each time when the one before has ended.
 * Stateless.
 */
final class Load {
    private static final double NS_PER_SECOND = 1e9;
    private static final double NS_PER_US = 1e3;
    private static final long HIGHEST_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long START_LIMIT_SECONDS = 60;

    private Load() {}

    /** What is done with a number that counts up from 0. */
    interface Operation {
        void run(int index) throws Exception;
    }

    /**
     * What has been done.
     *
     * @param count how often, once at least
     * @param begunNs when the first began, by {@link System#nanoTime}
     * @param endedNs when the last had ended
     */
    record Done(int count, long begunNs, long endedNs) {
        /** The index of the last operation. */
        int last() {
            return count - 1;
        }

        long ns() {
            return endedNs - begunNs;
        }

        double perSecond() {
            return count * NS_PER_SECOND / ns();
        }

        /** All together: from the begin of the first to the end of the last. */
        static Done all(List<Done> shares) {
            long originNs = shares.get(0).begunNs;
            long begunNs = 0;
            long endedNs = 0;
            int count = 0;
            for (Done share : shares) {
                begunNs = Math.min(begunNs, share.begunNs - originNs); // differences, as nanoTime may overflow
                endedNs = Math.max(endedNs, share.endedNs - originNs);
                count += share.count;
            }
            return new Done(count, originNs + begunNs, originNs + endedNs);
        }
    }

    /**
     * The time of single operations.
     *
     * @param ns from the begin of the first to the end of the last
     * @param medianUs of all of them
     */
    record Timed(int count, long ns, double medianUs) {
        /** The index of the last operation. */
        int last() {
            return count - 1;
        }
    }

    /** Does it once, and again until the time is over or it has been done {@code most} times. */
    static Done repeat(long durationMs, int most, Operation operation) throws Exception {
        long begunNs = System.nanoTime();
        return until(begunNs, begunNs + TimeUnit.MILLISECONDS.toNanos(durationMs), most, operation);
    }

    private static Done until(long begunNs, long endNs, int most, Operation operation) throws Exception {
        int count = 0;
        long nowNs;
        do {
            operation.run(count++);
            nowNs = System.nanoTime();
        } while (count < most && nowNs - endNs < 0);
        return new Done(count, begunNs, nowNs);
    }

    /** As {@link #repeat}, with a look at the time of each. */
    static Timed time(long durationMs, int most, Operation operation) throws Exception {
        Histogram histogram = new Histogram(HIGHEST_NS, 3);
        long begunNs = System.nanoTime();
        long endNs = begunNs + TimeUnit.MILLISECONDS.toNanos(durationMs);
        long nowNs = begunNs;
        int count = 0;
        do {
            operation.run(count++);
            long thenNs = System.nanoTime();
            histogram.recordValue(Math.min(thenNs - nowNs, HIGHEST_NS));
            nowNs = thenNs;
        } while (count < most && nowNs - endNs < 0);
        return new Timed(count, nowNs - begunNs, histogram.getValueAtPercentile(50) / NS_PER_US);
    }

    /** Gives each operation a thread of its own; all begin when the last thread is there, and stop at the same time. */
    static List<Done> together(long durationMs, List<Operation> operations) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(operations.size());
        try {
            AtomicLong endNs = new AtomicLong();
            CyclicBarrier start = new CyclicBarrier(
                    operations.size(), () -> endNs.set(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs)));
            List<Callable<Done>> shares = new ArrayList<>();
            for (Operation operation : operations) {
                shares.add(() -> {
                    start.await(START_LIMIT_SECONDS, TimeUnit.SECONDS);
                    return until(System.nanoTime(), endNs.get(), Integer.MAX_VALUE, operation);
                });
            }
            List<Done> done = new ArrayList<>();
            for (Future<Done> share : executor.invokeAll(shares)) {
                done.add(share.get());
            }
            return done;
        } finally {
            executor.shutdownNow();
        }
    }
}

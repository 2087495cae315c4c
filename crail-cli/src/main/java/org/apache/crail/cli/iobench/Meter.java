/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * Counts the operations of one thread, and the rounds that they belong to, mostly of one operation each. That thread
 * writes; others may read the counts.
 */
final class Meter {
    private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;

    private final Histogram latencyNs = new Histogram(LONGEST_NS, DIGITS);
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong rounds = new AtomicLong();
    private volatile long expectedRounds;

    Meter(long expectedRounds) {
        this.expectedRounds = expectedRounds;
    }

    /** For tests of more rounds than the user has given. */
    void expectRounds(long number) {
        expectedRounds = number;
    }

    /** An operation that began at {@code startNs} of {@link System#nanoTime} has just ended, and its round with it. */
    void done(long startNs, long transferred) {
        doneWithinRound(startNs, transferred);
        roundDone();
    }

    /** As {@link #done}, but the round goes on. */
    void doneWithinRound(long startNs, long transferred) {
        latencyNs.recordValue(Math.max(0, Math.min(LONGEST_NS, System.nanoTime() - startNs)));
        operations.lazySet(operations.getPlain() + 1);
        bytes.lazySet(bytes.getPlain() + transferred);
    }

    void roundDone() {
        rounds.lazySet(rounds.getPlain() + 1);
    }

    long rounds() {
        return rounds.get();
    }

    long expectedRounds() {
        return expectedRounds;
    }

    long operations() {
        return operations.get();
    }

    long bytes() {
        return bytes.get();
    }

    /** Latencies in nanoseconds; only for use when the thread has ended. */
    Histogram latencyNs() {
        return latencyNs;
    }
}

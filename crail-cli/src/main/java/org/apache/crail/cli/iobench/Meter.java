/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** Counts the operations of one thread, which writes; others may read the counts. */
final class Meter {
    private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;

    private final Histogram latencyNs = new Histogram(LONGEST_NS, DIGITS);
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    /** An operation that began at {@code startNs} of {@link System#nanoTime} has just ended. */
    void done(long startNs, long transferred) {
        latencyNs.recordValue(Math.max(0, Math.min(LONGEST_NS, System.nanoTime() - startNs)));
        operations.lazySet(operations.getPlain() + 1);
        bytes.lazySet(bytes.getPlain() + transferred);
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Tells when a system is warm at a work: what is cached while it is used has been used often enough, and the compilers of this
 * process have hardly anything left to do, or it has taken too long.
 */
final class WarmUp {
    /** Of the time of a turn, as much as compilers may take if figures are to count. */
    private static final double MOST_COMPILING = 0.02;

    private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

    private final Effort effort;
    private long operations;
    private long ns;
    private double compiling = 1;

    WarmUp(Effort effort) {
        this.effort = effort;
    }

    /** What this process has spent on compiling so far. */
    static long compiledNs() {
        return TimeUnit.MILLISECONDS.toNanos(COMPILERS.getTotalCompilationTime());
    }

    /**
     * Adds what has been done since the last call.
     *
     * @param operations that were measured
     * @param ns which they have taken
     * @param compiledNs what has been spent on compiling meanwhile
     */
    void add(long operations, long ns, long compiledNs) {
        this.operations += operations;
        this.ns += ns;
        compiling = (double) compiledNs / Math.max(1, ns);
    }

    /** Whether figures may count. */
    boolean isOver() {
        boolean isUsed = operations >= effort.warmUpOperations() || ns >= millis(effort.warmUpMs());
        return (isUsed && compiling <= MOST_COMPILING) || ns >= millis(effort.longestWarmUpMs());
    }

    private static long millis(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}

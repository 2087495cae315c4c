/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.contest;

import java.util.concurrent.TimeUnit;
import org.apache.crail.comparison.works.Effort;
import org.apache.crail.comparison.works.Tally;

/**
 * Decides when a system is warm at a work: when it has done it often enough, or for long enough, and the compilers of
 * this process had little to do lately; or when it has gone on for too long. What the compilers of servers do it does
 * not know. Not thread safe.
 */
final class WarmUp {
    /** The share of measured time that compilers may take while figures count. */
    private static final double MOST_COMPILING = 0.02;

    private final Effort effort;
    private Tally all = Tally.NOTHING;
    private Tally recent = Tally.NOTHING;
    private boolean compiling = true;

    WarmUp(Effort effort) {
        this.effort = effort;
    }

    /** Adds what a turn has measured. */
    void add(Tally turn) {
        all = all.plus(turn);
        recent = recent.plus(turn);
        if (recent.ns() >= nanos(effort.turnMs())) { // in less, one method may be most of it
            compiling = recent.compiledNs() > recent.ns() * MOST_COMPILING;
            recent = Tally.NOTHING;
        }
    }

    /** Whether compilers had much to do lately. */
    boolean isCompiling() {
        return compiling;
    }

    /** Whether figures may count. */
    boolean isOver() {
        boolean isUsed = all.operations() >= effort.warmUpOperations() || all.ns() >= nanos(effort.warmUpMs());
        return (isUsed && !compiling) || all.ns() >= nanos(effort.longestWarmUpMs());
    }

    private static long nanos(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}

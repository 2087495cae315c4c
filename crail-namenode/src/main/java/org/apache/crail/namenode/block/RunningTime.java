/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/**
 * Time as far as this namenode ran, by which it judges the silence of others. It is looked at regularly; of the time
 * between two looks only a part counts, as a process that was stopped, or whose lock was held, has heard nobody
 * meanwhile. Thread safe.
 */
final class RunningTime {
    private final long mostNs;
    private volatile Look last;

    /**
     * Begins at 0.
     *
     * @param mostNs how much counts between two looks
     */
    RunningTime(long nowNs, long mostNs) {
        this.mostNs = mostNs;
        this.last = new Look(nowNs, 0);
    }

    /** Looks at the clock; to be called by one thread at a time. */
    void look(long nowNs) {
        last = new Look(nowNs, at(nowNs));
    }

    /** The running time at a moment since the last look. */
    long at(long nowNs) {
        Look look = last;
        return look.runningNs + Math.max(0, Math.min(nowNs - look.atNs, mostNs));
    }

    private record Look(long atNs, long runningNs) {}
}

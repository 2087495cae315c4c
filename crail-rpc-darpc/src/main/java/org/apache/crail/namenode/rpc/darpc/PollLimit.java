/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

/**
 * How long a thread goes on polling before it waits for an event: as long as that pays, and never beyond a limit.
 * Confined to its thread.
 */
final class PollLimit {
    private static final long MOST_NS = 50_000;
    private static final long LEAST_NS = 1_000;
    private static final long HARD_POLLING_NS = 10_000_000;
    private static final long YIELD_NS = 2_000;

    private final boolean hard;
    private long limitNs;
    private long idleSinceNs;
    private long yieldedNs;
    private boolean idle;

    /** {@code hard} for the long fixed limit. */
    PollLimit(boolean hard) {
        this.hard = hard;
        this.limitNs = hard ? HARD_POLLING_NS : LEAST_NS;
    }

    /** Something was there. */
    void found() {
        if (idle && !hard) {
            limitNs = Math.min(MOST_NS, 2 * limitNs);
        }
        idle = false;
    }

    /** Nothing was there; answers whether to poll again, having given way to other threads. */
    @SuppressWarnings("ThreadPriorityCheck") // the yield is courtesy, nothing depends on it
    boolean pollAgain(long nowNs) {
        if (!idle) {
            idle = true;
            idleSinceNs = nowNs;
            yieldedNs = nowNs;
        } else if (nowNs - idleSinceNs >= limitNs) {
            return false;
        }
        if (nowNs - yieldedNs >= YIELD_NS) {
            yieldedNs = nowNs;
            Thread.yield(); // what is polled for may need this processor
        } else {
            Thread.onSpinWait();
        }
        return true;
    }

    /** Polling did not pay, an event has to be waited for. */
    void waited() {
        if (!hard) {
            limitNs = Math.max(LEAST_NS, limitNs / 2);
        }
        idle = false;
    }
}

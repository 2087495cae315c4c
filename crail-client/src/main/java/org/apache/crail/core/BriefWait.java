/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Waits for answers that come soon without going to sleep, as waking up takes about as long as the network does. One thread
 * of the process at a time does so, and lets every other that wants the processor go first; all others sleep. Thread safe.
 */
final class BriefWait {
    private static final long LIMIT_NS = 50_000;
    private static final AtomicBoolean TAKEN = new AtomicBoolean();

    private BriefWait() {}

    /** Returns when the future is done, or after a short while, or at once if another thread is waiting like this. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
    static void until(CompletableFuture<?> future) {
        if (future.isDone() || TAKEN.get() || !TAKEN.compareAndSet(false, true)) {
            return;
        }
        try {
            long startNs = System.nanoTime();
            while (!future.isDone() && System.nanoTime() - startNs < LIMIT_NS) {
                Thread.yield();
            }
        } finally {
            TAKEN.set(false);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.fuzz;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.namenode.NamenodeClock;

/**
 * Time that stands still, timers that never end, the caller's thread only, and no chance, so that an input always does
 * the same. Stateless.
 */
public final class StoppedTime implements Surroundings.Simulated, NamenodeClock {
    private static final long NOW_NS = 1_000_000_000_000L;

    @Override
    public long nanoTime() {
        return NOW_NS;
    }

    @Override
    public long currentTimeMillis() {
        return NOW_NS;
    }

    @Override
    public long nextLong() {
        return NOW_NS;
    }

    @Override
    public Future<?> after(long delayMs, Runnable task) {
        return new CompletableFuture<>();
    }

    @Override
    public Future<?> every(long periodMs, Runnable task) {
        return new CompletableFuture<>();
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public Future<?> start(Runnable body) {
        throw new UnsupportedOperationException("there are no threads");
    }

    @Override
    public void await(Future<?> awaited, long limitNs) {}

    @Override
    public void pause(long pauseNs) {}
}

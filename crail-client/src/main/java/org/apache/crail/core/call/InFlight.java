/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Counts what is in flight and tells when nothing is. Thread safe and without locks, as every operation comes by. */
public final class InFlight {
    private final AtomicLong count = new AtomicLong();
    private final AtomicReference<CompletableFuture<Void>> waiting = new AtomicReference<>();

    public void begin() {
        count.incrementAndGet();
    }

    public void end() {
        if (count.decrementAndGet() == 0) {
            tellIdle();
        }
    }

    /** How many are in flight. */
    public long count() {
        return count.get();
    }

    /** Completes at a moment when nothing is in flight. */
    public CompletableFuture<Void> idle() {
        CompletableFuture<Void> idle = waiting.updateAndGet(known -> known != null ? known : new CompletableFuture<>());
        if (count.get() == 0) {
            tellIdle();
        }
        return idle;
    }

    private void tellIdle() {
        if (waiting.get() != null) {
            CompletableFuture<Void> idle = waiting.getAndSet(null);
            if (idle != null) {
                idle.complete(null);
            }
        }
    }
}

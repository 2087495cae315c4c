/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.concurrent.CompletableFuture;

/** Counts what is in flight and tells when nothing is. Thread safe. */
final class InFlight {
    private long count;
    private CompletableFuture<Void> idle;

    synchronized void begin() {
        count++;
    }

    void end() {
        CompletableFuture<Void> waiting;
        synchronized (this) {
            count--;
            if (count > 0 || idle == null) {
                return;
            }
            waiting = idle;
            idle = null;
        }
        waiting.complete(null);
    }

    /** Completes when nothing is in flight. */
    synchronized CompletableFuture<Void> idle() {
        if (count == 0) {
            return CompletableFuture.completedFuture(null);
        }
        if (idle == null) {
            idle = new CompletableFuture<>();
        }
        return idle;
    }
}

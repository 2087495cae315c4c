/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Future;

/**
 * Operations in flight, oldest first, at most as many as the batch is large. Latencies are taken when the oldest is
 * found done, which is a little late for those that overtook it. Used by one thread.
 */
final class OperationsInFlight<T> {
    private final int limit;
    private final Meter meter;
    private final Check<T> check;
    private final Deque<Operation<T>> operations = new ArrayDeque<>();

    OperationsInFlight(int limit, Meter meter, Check<T> check) {
        this.limit = limit;
        this.meter = meter;
        this.check = check;
    }

    /** Makes room for one more; true if an operation had to end for it. */
    void awaitRoom() throws Exception {
        while (operations.size() >= limit) {
            awaitOldest();
        }
    }

    void add(long startNs, Future<T> future) {
        operations.add(new Operation<>(startNs, future));
    }

    void awaitAll() throws Exception {
        while (!operations.isEmpty()) {
            awaitOldest();
        }
    }

    private void awaitOldest() throws Exception {
        Operation<T> oldest = operations.remove();
        long bytes = check.bytes(oldest.future.get());
        meter.done(oldest.startNs, bytes);
    }

    /** Looks at a result; says how many bytes were transferred. */
    interface Check<T> {
        long bytes(T result) throws Exception;
    }

    private record Operation<T>(long startNs, Future<T> future) {}
}

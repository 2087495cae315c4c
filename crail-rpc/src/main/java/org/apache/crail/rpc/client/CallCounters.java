/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import java.util.concurrent.atomic.LongAdder;
import org.apache.crail.rpc.message.Operation;

/** Counts the calls of a client by operation. All methods are thread safe. */
public final class CallCounters {
    private final LongAdder[] calls = new LongAdder[Operation.values().length];
    private final LongAdder retries = new LongAdder();

    /** Makes counters that stand at zero. */
    public CallCounters() {
        for (int i = 0; i < calls.length; i++) {
            calls[i] = new LongAdder();
        }
    }

    /** Calls of this operation so far; a retried call counts once. */
    public long calls(Operation operation) {
        return calls[operation.number()].sum();
    }

    /** All calls so far. */
    public long total() {
        long total = 0;
        for (LongAdder counter : calls) {
            total += counter.sum();
        }
        return total;
    }

    /** Requests that were sent again after a connection had been lost. */
    public long retries() {
        return retries.sum();
    }

    void countCall(Operation operation) {
        calls[operation.number()].increment();
    }

    void countRetry() {
        retries.increment();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.apache.crail.rpc.message.Operation;

/** How often each operation was asked for, whether or not it succeeded. All methods are thread safe. */
public final class OperationCounters {
    private final LongAdder[] counts = new LongAdder[Operation.values().length];

    OperationCounters() {
        Arrays.setAll(counts, i -> new LongAdder());
    }

    void count(Operation operation) {
        counts[operation.number()].increment();
    }

    /** How often an operation was asked for since the namenode started. */
    public long of(Operation operation) {
        return counts[operation.number()].sum();
    }
}

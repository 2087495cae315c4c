/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the transfers of a store, whatever crail.statistics says; for tests and benchmarks. All methods are thread
 * safe.
 */
public final class TransferCounters {
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();

    private final ConcurrentMap<Integer, LongAdder> bytesOfClasses = new ConcurrentHashMap<>();

    /** Makes counters that stand at zero. */
    public TransferCounters() {}

    void count(boolean isWrite, int storageClass, int bytes) {
        LongAdder ofClass = bytesOfClasses.get(storageClass);
        if (ofClass == null) {
            ofClass = bytesOfClasses.computeIfAbsent(storageClass, unused -> new LongAdder());
        }
        ofClass.add(bytes);
        if (isWrite) {
            writes.increment();
            bytesWritten.add(bytes);
        } else {
            reads.increment();
            bytesRead.add(bytes);
        }
    }

    /** Transfers from datanodes for streams. */
    public long reads() {
        return reads.sum();
    }

    /** Transfers to datanodes for streams. */
    public long writes() {
        return writes.sum();
    }

    /** Bytes moved from datanodes. */
    public long bytesRead() {
        return bytesRead.sum();
    }

    /** Bytes moved to datanodes. */
    public long bytesWritten() {
        return bytesWritten.sum();
    }

    /**
     * Bytes of transfers from and to datanodes by their storage class, repeated ones included; only classes
     * that were used.
     */
    public SortedMap<Integer, Long> bytesByClass() {
        SortedMap<Integer, Long> bytes = new TreeMap<>();
        bytesOfClasses.forEach((storageClass, sum) -> bytes.put(storageClass, sum.sum()));
        return bytes;
    }
}

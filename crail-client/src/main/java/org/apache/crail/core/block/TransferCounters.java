/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.apache.crail.CrailStatistics;

/**
 * Counts the transfers of a store, whatever crail.statistics says, and their bytes by storage class. Repeated transfers
 * count each time. All methods are thread safe.
 */
public final class TransferCounters implements CrailStatistics.StatisticsProvider {
    private final Direction reads = new Direction();
    private final Direction writes = new Direction();

    /** Makes counters that stand at zero. */
    public TransferCounters() {}

    /** Counts of one direction. */
    private static final class Direction {
        final LongAdder transfers = new LongAdder();
        final ConcurrentMap<Integer, LongAdder> bytesOfClasses = new ConcurrentHashMap<>();

        void count(int storageClass, long bytes) {
            transfers.increment();
            add(storageClass, bytes);
        }

        private void add(int storageClass, long bytes) {
            LongAdder ofClass = bytesOfClasses.get(storageClass);
            if (ofClass == null) {
                ofClass = bytesOfClasses.computeIfAbsent(storageClass, unused -> new LongAdder());
            }
            ofClass.add(bytes);
        }

        long bytes() {
            return bytesOfClasses.values().stream().mapToLong(LongAdder::sum).sum();
        }

        void addAll(Direction other) {
            transfers.add(other.transfers.sum());
            other.bytesOfClasses.forEach((storageClass, sum) -> add(storageClass, sum.sum()));
        }

        void reset() {
            transfers.reset();
            bytesOfClasses.values().forEach(LongAdder::reset);
        }
    }

    void count(boolean isWrite, int storageClass, int bytes) {
        (isWrite ? writes : reads).count(storageClass, bytes);
    }

    /** Transfers from datanodes for streams. */
    public long reads() {
        return reads.transfers.sum();
    }

    /** Transfers to datanodes for streams. */
    public long writes() {
        return writes.transfers.sum();
    }

    /** Bytes moved from datanodes. */
    public long bytesRead() {
        return reads.bytes();
    }

    /** Bytes moved to datanodes. */
    public long bytesWritten() {
        return writes.bytes();
    }

    /** Bytes of transfers from and to datanodes by their storage class; only classes that were used. */
    public SortedMap<Integer, Long> bytesByClass() {
        SortedMap<Integer, Long> bytes = new TreeMap<>();
        for (Direction each : List.of(reads, writes)) {
            each.bytesOfClasses.forEach((storageClass, sum) -> bytes.merge(storageClass, sum.sum(), Long::sum));
        }
        return bytes;
    }

    @Override
    public String providerName() {
        return "core/transfers";
    }

    @Override
    public String printStatistics() {
        return counts().entrySet().stream()
                .map(count -> count.getKey() + " " + count.getValue())
                .collect(Collectors.joining(", "));
    }

    /** {@code reads}, {@code readBytes}, {@code readBytes.class0}, and so on; the same of writes. */
    @Override
    public SortedMap<String, Long> counts() {
        SortedMap<String, Long> counts = new TreeMap<>();
        counts("read", reads, counts);
        counts("write", writes, counts);
        return counts;
    }

    private static void counts(String name, Direction direction, SortedMap<String, Long> counts) {
        counts.put(name + "s", direction.transfers.sum());
        counts.put(name + "Bytes", direction.bytes());
        direction.bytesOfClasses.forEach(
                (storageClass, sum) -> counts.put(name + "Bytes.class" + storageClass, sum.sum()));
    }

    @Override
    public void mergeStatistics(CrailStatistics.StatisticsProvider provider) {
        if (provider instanceof TransferCounters other) {
            reads.addAll(other.reads);
            writes.addAll(other.writes);
        }
    }

    @Override
    public void resetStatistics() {
        reads.reset();
        writes.reset();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.concurrent.atomic.LongAdder;
import org.apache.crail.CrailStatistics;

/** What the streams of a store have done in one direction. All methods are thread safe. */
public class CoreIOStatistics implements CrailStatistics.StatisticsProvider {
    private final String name;
    private final boolean enabled;
    private final LongAdder ops = new LongAdder();
    private final LongAdder opBytes = new LongAdder();
    private final LongAdder localOps = new LongAdder();
    private final LongAdder remoteOps = new LongAdder();
    private final LongAdder cachedOps = new LongAdder();
    private final LongAdder uncachedOps = new LongAdder();
    private final LongAdder streams = new LongAdder();
    private final LongAdder streamBytes = new LongAdder();

    /** Makes counters that stand at zero. */
    public CoreIOStatistics(String name, boolean enabled) {
        this.name = name;
        this.enabled = enabled;
    }

    public void countOperation(long bytes) {
        if (enabled) {
            ops.increment();
            opBytes.add(bytes);
        }
    }

    void countTransfer(boolean local) {
        if (enabled) {
            (local ? localOps : remoteOps).increment();
        }
    }

    void countLocation(boolean cached) {
        if (enabled) {
            (cached ? cachedOps : uncachedOps).increment();
        }
    }

    public void countStream(long capacity) {
        if (enabled) {
            streams.increment();
            streamBytes.add(capacity);
        }
    }

    /** Transfers that waited for the namenode. */
    public long getUncachedOps() {
        return uncachedOps.sum();
    }

    @Override
    public String providerName() {
        return name;
    }

    @Override
    public String printStatistics() {
        long capacity = streamBytes.sum();
        return "total " + ops.sum() + ", localOps " + localOps.sum() + ", remoteOps " + remoteOps.sum()
                + ", cached " + cachedOps.sum() + ", nonCached " + uncachedOps.sum() + ", capacity " + capacity
                + ", totalStreams "
                + streams.sum() + ", avgCapacity " + ratio(capacity, streams.sum()) + ", avgOpLen "
                + ratio(opBytes.sum(), ops.sum());
    }

    private static long ratio(long sum, long count) {
        return count == 0 ? 0 : sum / count;
    }

    @Override
    public void mergeStatistics(CrailStatistics.StatisticsProvider provider) {
        if (provider instanceof CoreIOStatistics other) {
            LongAdder[] mine = counters();
            LongAdder[] theirs = other.counters();
            for (int i = 0; i < mine.length; i++) {
                mine[i].add(theirs[i].sum());
            }
        }
    }

    @Override
    public void resetStatistics() {
        for (LongAdder counter : counters()) {
            counter.reset();
        }
    }

    private LongAdder[] counters() {
        return new LongAdder[] {ops, opBytes, localOps, remoteOps, cachedOps, uncachedOps, streams, streamBytes};
    }
}

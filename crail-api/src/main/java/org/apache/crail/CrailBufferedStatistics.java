/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.util.concurrent.atomic.LongAdder;

/** How often buffered streams had to wait. Thread safe. */
class CrailBufferedStatistics implements CrailStatistics.StatisticsProvider {
    private final String name;
    private final LongAdder totalOps = new LongAdder();
    private final LongAdder blockingOps = new LongAdder();
    private final LongAdder nonBlockingOps = new LongAdder();

    CrailBufferedStatistics(String name) {
        this.name = name;
    }

    /**
     * Counts the taking of a slice, for which the caller waited or not, or a copy in the place of some, which waits for
     * no transfer.
     */
    void count(boolean waited) {
        totalOps.increment();
        (waited ? blockingOps : nonBlockingOps).increment();
    }

    long getTotalOps() {
        return totalOps.sum();
    }

    long getBlockingOps() {
        return blockingOps.sum();
    }

    long getNonBlockingOps() {
        return nonBlockingOps.sum();
    }

    /** Adds these counts to those of a store. */
    void addTo(CrailStore store) {
        CrailStatistics statistics = store.getStatistics();
        if (statistics != null) {
            statistics.addProvider(this);
        }
    }

    @Override
    public String providerName() {
        return name;
    }

    @Override
    public String printStatistics() {
        return "totalOps " + totalOps + ", blockingOps " + blockingOps + ", nonBlockingOps " + nonBlockingOps;
    }

    @Override
    public void mergeStatistics(CrailStatistics.StatisticsProvider provider) {
        if (provider instanceof CrailBufferedStatistics other) {
            totalOps.add(other.getTotalOps());
            blockingOps.add(other.getBlockingOps());
            nonBlockingOps.add(other.getNonBlockingOps());
        }
    }

    @Override
    public void resetStatistics() {
        totalOps.reset();
        blockingOps.reset();
        nonBlockingOps.reset();
    }
}

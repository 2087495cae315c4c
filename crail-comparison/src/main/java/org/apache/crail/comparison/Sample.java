/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import org.HdrHistogram.Histogram;

/** Units and histograms that all measurements share. Stateless. */
final class Sample {
    private static final double NS_PER_SECOND = 1e9;
    private static final double NS_PER_US = 1e3;
    private static final long HIGHEST_NS = 60_000_000_000L;

    private Sample() {}

    /** An empty histogram of nanoseconds. */
    static Histogram histogram() {
        return new Histogram(HIGHEST_NS, 3);
    }

    static void record(Histogram histogram, long elapsedNs) {
        histogram.recordValue(Math.min(elapsedNs, HIGHEST_NS));
    }

    static double perSecond(long count, long elapsedNs) {
        return count * NS_PER_SECOND / elapsedNs;
    }

    static double percentileUs(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / NS_PER_US;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;
import org.apache.crail.cli.console.Console;

/**
 * One experiment; also the form of the JSON. Immutable.
 *
 * @param experiment its number, from 1
 * @param executionTimeS from the start of the first thread to the end of the last, in seconds
 * @param ops operations
 * @param sumBytes bytes transferred
 * @param throughputMbits bytes per time in megabits (10^6) per second
 * @param opsPerSecond operations per time
 * @param latencyUs execution time times threads per operation, in microseconds: as in Crail 1.x, all that a thread does
 *     counts, opening and closing included
 * @param percentilesUs the latency of single operations in microseconds, from call to result, by percentile; "max" is
 *     the longest
 * @param bytesByClass bytes asked from and given to datanodes by storage class, those of repeated transfers and of
 *     what was read ahead included
 */
record BenchResult(
        int experiment,
        double executionTimeS,
        long ops,
        long sumBytes,
        double throughputMbits,
        double opsPerSecond,
        double latencyUs,
        Map<String, Double> percentilesUs,
        SortedMap<Integer, Long> bytesByClass) {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_US = 1e3;
    private static final double US_PER_S = 1e6;
    private static final double BITS_PER_MBIT = 1e6;
    private static final double BYTES_PER_MIB = 1 << 20;

    static BenchResult of(int experiment, long elapsedNs, SortedMap<Integer, Long> bytesByClass, List<Meter> meters) {
        Histogram all = new Histogram(1, Long.MAX_VALUE / 2, 3);
        long ops = 0;
        long bytes = 0;
        for (Meter meter : meters) {
            all.add(meter.latencyNs());
            ops += meter.operations();
            bytes += meter.bytes();
        }
        double seconds = Math.max(1, elapsedNs) / NS_PER_S;
        return new BenchResult(
                experiment,
                seconds,
                ops,
                bytes,
                bytes * Byte.SIZE / BITS_PER_MBIT / seconds,
                ops / seconds,
                ops == 0 ? 0 : seconds * US_PER_S * meters.size() / ops,
                percentiles(all),
                bytesByClass);
    }

    private static Map<String, Double> percentiles(Histogram histogram) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (double percentile : PERCENTILES) {
            String name = percentile == Math.rint(percentile)
                    ? Long.toString((long) percentile)
                    : Double.toString(percentile);
            values.put(name, histogram.getValueAtPercentile(percentile) / NS_PER_US);
        }
        values.put("max", histogram.getMaxValue() / NS_PER_US);
        return values;
    }

    void print(Console console) {
        console.linef("execution time %.6f s", executionTimeS);
        console.linef("ops %d", ops);
        console.linef("sumbytes %d", sumBytes);
        console.linef("throughput %.3f Mbit/s, %.3f MiB/s", throughputMbits, sumBytes / BYTES_PER_MIB / executionTimeS);
        console.linef("latency %.3f us on average", latencyUs);
        console.linef("rate %.1f ops/s", opsPerSecond);
        StringBuilder line = new StringBuilder("percentiles of latency");
        percentilesUs.forEach((name, value) ->
                line.append(String.format(Locale.ROOT, " %s%s %.1f", name.equals("max") ? "" : "p", name, value)));
        console.line(line.append(" us").toString());
        if (!bytesByClass.isEmpty()) {
            StringBuilder classes = new StringBuilder("bytes by storage class");
            bytesByClass.forEach((storageClass, sum) -> classes.append(
                    String.format(Locale.ROOT, "%s %d: %d", classes.indexOf(":") < 0 ? "" : ",", storageClass, sum)));
            console.line(classes.toString());
        }
    }
}

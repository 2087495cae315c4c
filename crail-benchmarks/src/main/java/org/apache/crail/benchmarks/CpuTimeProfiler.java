/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports operations per second of processor time that the whole process used, collector and compiler included: the
 * figure of one core that is not shared, also on a machine whose cores are. JMH makes one and calls it from one thread.
 */
public final class CpuTimeProfiler implements InternalProfiler {
    private static final double NS_PER_SECOND = 1e9;

    private long startNs;

    /** For JMH. */
    public CpuTimeProfiler() {}

    @Override
    public String getDescription() {
        return "Operations per second of processor time";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmarkParams, IterationParams iterationParams) {
        startNs = processCpuTimeNs();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmarkParams, IterationParams iterationParams, IterationResult result) {
        double seconds = (processCpuTimeNs() - startNs) / NS_PER_SECOND;
        double perSecond = result.getMetadata().getAllOps() / seconds;
        return List.of(new ScalarResult("cpu.rate", perSecond, "ops/cpu-s", AggregationPolicy.AVG));
    }

    private static long processCpuTimeNs() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return system instanceof com.sun.management.OperatingSystemMXBean hotspot ? hotspot.getProcessCpuTime() : 0;
    }
}

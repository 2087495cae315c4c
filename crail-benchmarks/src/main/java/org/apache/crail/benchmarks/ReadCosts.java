/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What reads of one system cost, round by round. Not thread safe. */
final class ReadCosts {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final String VOLUNTARY = "voluntary_ctxt_switches:";
    private static final double NS_PER_US = 1e3;

    private final List<Double> all = new ArrayList<>();
    private final List<Double> medians = new ArrayList<>();
    private long reads;
    private long threadChanges;
    private long processorNs;

    /**
     * Reads, and keeps what it cost as the figures of one round.
     *
     * @param samples how often the time is taken
     * @param perSample how many reads are timed together
     */
    void measure(BlockReader reader, int samples, int perSample, int depth) throws Exception {
        List<Double> round = new ArrayList<>();
        long changesBefore = threadChanges();
        long processorBefore = SYSTEM.getProcessCpuTime();
        for (int i = 0; i < samples; i++) {
            long startNs = System.nanoTime();
            reader.read(perSample, depth);
            round.add((System.nanoTime() - startNs) / NS_PER_US / perSample);
        }
        processorNs += SYSTEM.getProcessCpuTime() - processorBefore;
        threadChanges += threadChanges() - changesBefore;
        reads += (long) samples * perSample;
        all.addAll(round);
        medians.add(Spread.of(round).median());
    }

    /** How often threads of this process have gone to sleep. */
    private static long threadChanges() throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                sum += voluntary(task);
            }
        }
        return sum;
    }

    private static long voluntary(Path task) throws IOException {
        try {
            for (String line : Files.readAllLines(task.resolve("status"))) {
                if (line.startsWith(VOLUNTARY)) {
                    return Long.parseLong(line.substring(VOLUNTARY.length()).strip());
                }
            }
        } catch (NoSuchFileException e) {
            return 0; // a thread that has ended
        }
        return 0;
    }

    /** The figures as columns of a table in Markdown; ratios are between medians of the same round. */
    String columns(ReadCosts base) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < medians.size(); i++) {
            ratios.add(medians.get(i) / base.medians.get(i));
        }
        Spread own = Spread.of(all);
        Spread ratio = Spread.of(ratios);
        return String.format(
                Locale.ROOT,
                "%,.1f | %,.1f | %.2f (%.2f to %.2f) | %.2f | %,.0f",
                own.median(),
                own.min(),
                ratio.median(),
                ratio.min(),
                ratio.max(),
                (double) threadChanges / reads,
                processorNs / NS_PER_US / reads);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/**
 * Measures several systems that read the same, one read after the other and several in flight, in turns in each round,
 * and prints a table. Used by one thread.
 */
final class ReadComparison {
    /** Larger reads are made less often. */
    private static final int SMALL_READ = 16 << 10;

    private static final int LEAST_SAMPLES = 3;

    @Option(names = "--rounds", description = "Rounds (${DEFAULT-VALUE}).")
    private int rounds = 20;

    @Option(
            names = "--operations",
            description = "Reads of 4 KiB in each round (${DEFAULT-VALUE}); there are fewer of larger ones.")
    private int operations;

    @Option(
            names = "--warmup",
            description = "Seconds for which each system reads 4 KiB before anything is measured (${DEFAULT-VALUE}).")
    private int warmupSeconds = 10;

    @Option(names = "--sizes", split = ",", description = "Bytes of the reads (${DEFAULT-VALUE}).")
    private int[] sizes;

    @Option(names = "--depths", split = ",", description = "Reads in flight (${DEFAULT-VALUE}).")
    private int[] depths;

    /** What is measured unless options say otherwise. */
    ReadComparison(int operations, int[] sizes, int[] depths) {
        this.operations = operations;
        this.sizes = sizes;
        this.depths = depths;
    }

    /** What is compared. */
    interface Systems {
        /**
         * Readers of so many bytes, by name, in the order of the table; the first is what the others are measured
         * against.
         *
         * @param toClose where to put what is to be closed after they have been used
         */
        Map<String, BlockReader> readers(int size, List<AutoCloseable> toClose) throws Exception;
    }

    /**
     * Measures and prints.
     *
     * @param base what the first system is called in the table's head
     */
    void run(PrintStream out, String base, Systems systems) throws Exception {
        out.println("| read | in flight | what | us per read: median | min | against " + base
                + ": median (min to max) | thread changes per read | processor us per read |");
        out.println("| ---: | ---: | --- | ---: | ---: | --- | ---: | ---: |");
        boolean warm = false;
        for (int size : sizes) {
            List<AutoCloseable> toClose = new ArrayList<>();
            try {
                Map<String, BlockReader> readers = systems.readers(size, toClose);
                if (!warm) {
                    warmUp(readers);
                    warm = true;
                }
                for (int depth : depths) {
                    measure(out, readers, size, depth);
                }
            } finally {
                for (AutoCloseable each : toClose) {
                    each.close();
                }
            }
        }
    }

    private void warmUp(Map<String, BlockReader> readers) throws Exception {
        for (BlockReader reader : readers.values()) {
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(warmupSeconds);
            while (System.nanoTime() - endNs < 0) {
                for (int depth : depths) {
                    reader.read(operations, depth);
                }
            }
        }
    }

    private void measure(PrintStream out, Map<String, BlockReader> readers, int size, int depth) throws Exception {
        int perSample = depth == 1 ? 1 : 2 * depth;
        int reads = (int) ((long) operations * SMALL_READ / Math.max(size, SMALL_READ));
        int samples = Math.max(LEAST_SAMPLES, reads / perSample);
        Map<String, ReadCosts> costs = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, BlockReader> each : readers.entrySet()) {
                each.getValue().read(Math.max(2, depth), depth); // the first ones after a pause wake threads
                costs.computeIfAbsent(each.getKey(), name -> new ReadCosts())
                        .measure(each.getValue(), samples, perSample, depth);
            }
        }
        ReadCosts base = costs.values().iterator().next();
        costs.forEach((name, cost) ->
                out.printf(Locale.ROOT, "| %d KiB | %d | %s | %s |%n", size >> 10, depth, name, cost.columns(base)));
    }
}

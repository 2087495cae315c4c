/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.verbs.NativeVerbs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Compares reads of a block, one after the other and several in flight: DiSNI alone, the rdma tier, a direct stream over it, the
 * tcp tier, with all servers in this process. The systems take turns in each round. Used by one thread.
 */
@Command(
        name = "rdma",
        mixinStandardHelpOptions = true,
        description = "Compare the rdma tier with DiSNI alone and with the tcp tier; needs an RDMA device.")
final class RdmaComparison implements Callable<Integer> {
    private static final int BLOCK_BYTES = 1 << 20;

    /** Larger reads are made less often. */
    private static final int SMALL_READ = 16 << 10;

    private static final int LEAST_SAMPLES = 3;

    @ParentCommand
    private Benchmarks parent;

    @Option(names = "--address", required = true, description = "IPv4 address of the RDMA device.")
    private String address;

    @Option(names = "--rounds", defaultValue = "20", description = "Rounds (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--operations",
            defaultValue = "100",
            description = "Reads of 4 KiB in each round (${DEFAULT-VALUE}); there are fewer of larger ones.")
    private int operations;

    @Option(
            names = "--warmup",
            defaultValue = "10",
            description = "Seconds for which each system reads 4 KiB before anything is measured (${DEFAULT-VALUE}).")
    private int warmupSeconds;

    @Option(names = "--sizes", split = ",", defaultValue = "4096,65536,1048576", description = "Bytes of the reads.")
    private int[] sizes;

    @Option(names = "--depths", split = ",", defaultValue = "1,4,16", description = "Reads in flight.")
    private int[] depths;

    @Override
    public Integer call() throws Exception {
        NativeVerbs.load();
        PrintStream out = parent.out();
        Machine.describe(parent.command()).forEach((name, value) -> out.println(name + ": " + value));
        out.println();
        Path dataPath = Files.createTempDirectory(Path.of("/dev/shm"), "crail-bench-");
        CrailConfiguration settings = settings();
        try (TierBlock rdma = tier("rdma.Rdma", "rdma", settings, dataPath);
                TierBlock tcp = tier("tcp.Tcp", "tcp", settings, dataPath);
                StoredBlock stored = new StoredBlock(settings, address, dataPath, BLOCK_BYTES)) {
            compare(out, new Systems(rdma, tcp, stored));
        }
        Files.deleteIfExists(dataPath.resolve(".crail-lock"));
        Files.delete(dataPath);
        return 0;
    }

    private CrailConfiguration settings() {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.datanode.bind", address);
        conf.set("crail.blocksize", Integer.toString(BLOCK_BYTES));
        conf.set("crail.tokenexpiration", "10min");
        conf.set("crail.storage.tcp.mapped", "false");
        conf.set("crail.unixsockets", "false");
        return conf;
    }

    private static TierBlock tier(String type, String name, CrailConfiguration settings, Path dataPath)
            throws Exception {
        return TierBlock.inMemory(
                "org.apache.crail.storage." + type + "StorageTier", name, settings, dataPath, BLOCK_BYTES);
    }

    /** What is compared, by name; the first is what the others are measured against. */
    private static final class Systems {
        final TierBlock rdma;
        final TierBlock tcp;
        final StoredBlock stored;
        final StorageEndpoint passive;
        final StorageEndpoint active;
        final StorageEndpoint sockets;

        Systems(TierBlock rdma, TierBlock tcp, StoredBlock stored) throws Exception {
            this.rdma = rdma;
            this.tcp = tcp;
            this.stored = stored;
            this.passive = rdma.connect("passive");
            this.active = rdma.connect("active");
            this.sockets = tcp.connect("passive");
        }

        Map<String, BlockReader> readers(int size, List<RawVerbs> toClose) throws Exception {
            RawVerbs polling = rdma.rawReader(size, false);
            toClose.add(polling);
            RawVerbs events = rdma.rawReader(size, true);
            toClose.add(events);
            Map<String, BlockReader> readers = new LinkedHashMap<>();
            readers.put("DiSNI alone, polling", polling);
            readers.put("DiSNI alone, events", events);
            readers.put("`rdma` tier, passive", rdma.reader(passive, size));
            readers.put("`rdma` tier, active", rdma.reader(active, size));
            readers.put("direct stream, passive", stored.reader(size));
            readers.put("`tcp` tier", tcp.reader(sockets, size));
            return readers;
        }
    }

    private void compare(PrintStream out, Systems systems) throws Exception {
        out.println("| read | in flight | what | us per read: median | min | against DiSNI alone: median (min to max) "
                + "| thread changes per read | processor us per read |");
        out.println("| ---: | ---: | --- | ---: | ---: | --- | ---: | ---: |");
        boolean warm = false;
        for (int size : sizes) {
            List<RawVerbs> toClose = new ArrayList<>();
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
                for (RawVerbs each : toClose) {
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

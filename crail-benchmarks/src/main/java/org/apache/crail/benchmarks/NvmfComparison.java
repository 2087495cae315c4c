/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.verbs.NativeVerbs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Compares reads of an NVMe over Fabrics namespace, one after the other and several in flight: jNVMf alone, the nvmf tier, and the
 * kernel's own initiator. The systems take turns in each round. Used by one thread.
 */
@Command(
        name = "nvmf",
        mixinStandardHelpOptions = true,
        description = {
            "Compare the nvmf tier with jNVMf alone and with the kernel's initiator; needs an RDMA device and a target,",
            "the first sector of whose namespace is overwritten."
        })
final class NvmfComparison implements Callable<Integer> {
    private static final int BLOCK_BYTES = 1 << 20;

    /** Larger reads are made less often. */
    private static final int SMALL_READ = 16 << 10;

    private static final int LEAST_SAMPLES = 3;

    @ParentCommand
    private Benchmarks parent;

    @Option(names = "--address", required = true, description = "IPv4 address of the target.")
    private String address;

    @Option(names = "--port", defaultValue = "4420", description = "Port of the target (${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--nqn", required = true, description = "Name of its subsystem.")
    private String nqn;

    @Option(names = "--namespace", defaultValue = "1", description = "Number of the namespace (${DEFAULT-VALUE}).")
    private int namespace;

    @Option(
            names = "--device",
            description = "Block device that the kernel's initiator has made of the same namespace; not measured unless"
                    + " given.")
    private Path device;

    @Option(names = "--rounds", defaultValue = "20", description = "Rounds (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--operations",
            defaultValue = "200",
            description = "Reads of 4 KiB in each round (${DEFAULT-VALUE}); there are fewer of larger ones.")
    private int operations;

    @Option(
            names = "--warmup",
            defaultValue = "10",
            description = "Seconds for which each system reads 4 KiB before anything is measured (${DEFAULT-VALUE}).")
    private int warmupSeconds;

    @Option(names = "--sizes", split = ",", defaultValue = "4096,131072", description = "Bytes of the reads.")
    private int[] sizes;

    @Option(names = "--depths", split = ",", defaultValue = "1,16", description = "Reads in flight.")
    private int[] depths;

    @Override
    public Integer call() throws Exception {
        NativeVerbs.load();
        PrintStream out = parent.out();
        Machine.describe(parent.command()).forEach((name, value) -> out.println(name + ": " + value));
        out.println();
        try (TierBlock tier = TierBlock.nvmf(settings(), BLOCK_BYTES)) {
            compare(out, tier);
        }
        return 0;
    }

    private CrailConfiguration settings() {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.blocksize", Integer.toString(BLOCK_BYTES));
        conf.set("crail.tokenexpiration", "10min");
        conf.set("crail.storage.nvmf.ip", address);
        conf.set("crail.storage.nvmf.port", Integer.toString(port));
        conf.set("crail.storage.nvmf.nqn", nqn);
        conf.set("crail.storage.nvmf.namespace", Integer.toString(namespace));
        conf.set("crail.connecttimeout", "30s");
        conf.set("crail.storage.nvmf.keepalive", "10s");
        return conf;
    }

    private void compare(PrintStream out, TierBlock tier) throws Exception {
        out.println("| read | in flight | what | us per read: median | min | against jNVMf alone: median (min to max) "
                + "| thread changes per read | processor us per read |");
        out.println("| ---: | ---: | --- | ---: | ---: | --- | ---: | ---: |");
        boolean warm = false;
        for (int size : sizes) {
            List<AutoCloseable> toClose = new ArrayList<>();
            try {
                Map<String, BlockReader> readers = readers(tier, size, toClose);
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

    /** What is compared, by name; the first is what the others are measured against. */
    private Map<String, BlockReader> readers(TierBlock tier, int size, List<AutoCloseable> toClose) throws Exception {
        Map<String, BlockReader> readers = new LinkedHashMap<>();
        RawNvmf raw = new RawNvmf(new InetSocketAddress(address, port), nqn, namespace, BLOCK_BYTES, size);
        toClose.add(raw);
        readers.put("jNVMf alone, polling", raw);
        readers.put("`nvmf` tier", tier.reader(tier.connect(), size));
        if (device != null) {
            DirectFile kernel = new DirectFile(device, BLOCK_BYTES, size);
            toClose.add(kernel);
            readers.put("kernel's initiator, O_DIRECT", kernel);
        }
        return readers;
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

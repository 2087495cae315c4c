/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.rpc.message.Region;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;
import org.apache.crail.verbs.NativeVerbs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Compares reads of a block one after the other: DiSNI alone, the rdma tier, the tcp tier, with datanodes in this process. The
 * systems take turns in each round. Used by one thread.
 */
@Command(
        name = "rdma",
        mixinStandardHelpOptions = true,
        description = "Compare the rdma tier with DiSNI alone and with the tcp tier; needs an RDMA device.")
final class RdmaComparison implements Callable<Integer> {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int[] SIZES = {4 << 10, 64 << 10, 1 << 20};

    @ParentCommand
    private Benchmarks parent;

    @Option(names = "--address", required = true, description = "IPv4 address of the RDMA device.")
    private String address;

    @Option(names = "--rounds", defaultValue = "5", description = "Rounds after one of warm-up (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--operations", defaultValue = "500", description = "Reads in each round (${DEFAULT-VALUE}).")
    private int operations;

    private interface Read {
        void run() throws Exception;
    }

    @Override
    public Integer call() throws Exception {
        NativeVerbs.load();
        PrintStream out = parent.out();
        Machine.describe(parent.command()).forEach((name, value) -> out.println(name + ": " + value));
        out.println();
        out.println("| read | what | median us | 99th percentile us | median against DiSNI alone |");
        out.println("| ---: | --- | ---: | ---: | ---: |");
        Path dataPath = Files.createTempDirectory(Path.of("/dev/shm"), "crail-bench-");
        try (Datanode rdma = new Datanode("org.apache.crail.storage.rdma.RdmaStorageTier", "rdma", dataPath);
                Datanode tcp = new Datanode("org.apache.crail.storage.tcp.TcpStorageTier", "tcp", dataPath)) {
            for (int size : SIZES) {
                compare(out, rdma, tcp, size);
            }
        }
        Files.deleteIfExists(dataPath.resolve(".crail-lock"));
        Files.delete(dataPath);
        return 0;
    }

    private void compare(PrintStream out, Datanode rdma, Datanode tcp, int size) throws Exception {
        ByteBuffer target = ByteBuffer.allocateDirect(size);
        try (RawVerbs raw = new RawVerbs(rdma.address(), rdma.region.address(), rdma.region.key(), target)) {
            Map<String, Read> systems = new LinkedHashMap<>();
            systems.put("DiSNI alone", raw::read);
            systems.put("rdma tier, passive", rdma.reads("passive", size));
            systems.put("rdma tier, active", rdma.reads("active", size));
            systems.put("tcp tier", tcp.reads("passive", size));
            Map<String, Histogram> histograms = new LinkedHashMap<>();
            systems.keySet().forEach(name -> histograms.put(name, Sample.histogram()));
            for (int round = -1; round < rounds; round++) {
                for (Map.Entry<String, Read> system : systems.entrySet()) {
                    measure(system.getValue(), round < 0 ? Sample.histogram() : histograms.get(system.getKey()));
                }
            }
            print(out, size, histograms);
        }
    }

    private void measure(Read read, Histogram histogram) throws Exception {
        for (int i = 0; i < operations; i++) {
            long startNs = System.nanoTime();
            read.run();
            Sample.record(histogram, System.nanoTime() - startNs);
        }
    }

    private static void print(PrintStream out, int size, Map<String, Histogram> histograms) {
        double base = Sample.percentileUs(histograms.get("DiSNI alone"), 50);
        histograms.forEach((name, histogram) -> out.printf(
                Locale.ROOT,
                "| %d KiB | %s | %.1f | %.1f | %.2f |%n",
                size >> 10,
                name,
                Sample.percentileUs(histogram, 50),
                Sample.percentileUs(histogram, 99),
                Sample.percentileUs(histogram, 50) / base));
    }

    /** A datanode of one tier with one region of one block, and its clients. */
    private final class Datanode implements AutoCloseable {
        private final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        private final StorageTier tier;
        private final StorageServer server;
        private final Region region;
        private final List<StorageClient> clients = new ArrayList<>();

        Datanode(String className, String name, Path dataPath) throws Exception {
            String prefix = "crail.storage." + name + ".";
            conf.set("crail.datanode.bind", address);
            conf.set("crail.blocksize", Integer.toString(BLOCK_BYTES));
            conf.set("crail.tokenexpiration", "10min");
            conf.set("crail.storage.tcp.mapped", "false");
            conf.set(prefix + "port", "0");
            conf.set(prefix + "datapath", dataPath.toString());
            conf.set(prefix + "storagelimit", Integer.toString(BLOCK_BYTES));
            this.tier = StorageTier.createInstance(className);
            this.server = tier.launchServer(conf, List.of());
            this.region = server.allocateRegion().orElseThrow();
        }

        InetSocketAddress address() {
            return server.address();
        }

        Read reads(String type, int size) throws Exception {
            CrailConfiguration own = conf.copy();
            own.set("crail.storage.rdma.type", type);
            StorageClient client = tier.createClient(own);
            clients.add(client);
            DataNodeInfo datanode =
                    new DataNodeInfo(0, 0, 0, address, server.address().getPort());
            BlockInfo block = new BlockInfo(datanode, 0, region.address(), BLOCK_BYTES, region.key(), 1);
            StorageEndpoint endpoint = client.createEndpoint(datanode);
            CrailBuffer buffer = OffHeapBuffer.wrap(ByteBuffer.allocateDirect(size));
            return () -> {
                buffer.clear();
                endpoint.read(buffer, block, 0).get();
            };
        }

        @Override
        public void close() {
            clients.forEach(StorageClient::close);
            server.close();
        }
    }
}

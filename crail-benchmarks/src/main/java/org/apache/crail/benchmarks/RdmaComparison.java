/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.verbs.NativeVerbs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Compares reads of a block, one after the other and several in flight: DiSNI alone, the rdma tier, a direct stream
 * over it, the tcp tier, with all servers in this process. The systems take turns in each round. Used by one thread.
 */
@Command(
        name = "rdma",
        mixinStandardHelpOptions = true,
        description = "Compare the rdma tier with DiSNI alone and with the tcp tier; needs an RDMA device.")
final class RdmaComparison implements Callable<Integer> {
    private static final int BLOCK_BYTES = 1 << 20;

    @ParentCommand
    private Benchmarks parent;

    @Option(names = "--address", required = true, description = "IPv4 address of the RDMA device.")
    private String address;

    @Mixin
    private final ReadComparison comparison =
            new ReadComparison(100, new int[] {4096, 65536, 1048576}, new int[] {1, 4, 16});

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
            comparison.run(out, "DiSNI alone", new Systems(rdma, tcp, stored));
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

    private static final class Systems implements ReadComparison.Systems {
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

        @Override
        public Map<String, BlockReader> readers(int size, List<AutoCloseable> toClose) throws Exception {
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
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.PrintStream;
import java.net.InetSocketAddress;
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
 * Compares reads of an NVMe over Fabrics namespace, one after the other and several in flight: jNVMf alone, the nvmf
 * tier, and the kernel's own initiator. The systems take turns in each round. Used by one thread.
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

    @Mixin
    private final ReadComparison comparison = new ReadComparison(200, new int[] {4096, 131072}, new int[] {1, 16});

    @Override
    public Integer call() throws Exception {
        NativeVerbs.load();
        PrintStream out = parent.out();
        Machine.describe(parent.command()).forEach((name, value) -> out.println(name + ": " + value));
        out.println();
        try (TierBlock tier = TierBlock.nvmf(settings(), BLOCK_BYTES)) {
            StorageEndpoint endpoint = tier.connect();
            comparison.run(out, "jNVMf alone", (size, toClose) -> readers(tier, endpoint, size, toClose));
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

    /** What is compared, by name; the first is what the others are measured against. */
    private Map<String, BlockReader> readers(
            TierBlock tier, StorageEndpoint endpoint, int size, List<AutoCloseable> toClose) throws Exception {
        Map<String, BlockReader> readers = new LinkedHashMap<>();
        RawNvmf raw = new RawNvmf(new InetSocketAddress(address, port), nqn, namespace, BLOCK_BYTES, size);
        toClose.add(raw);
        readers.put("jNVMf alone, polling", raw);
        readers.put("`nvmf` tier", tier.reader(endpoint, size));
        if (device != null) {
            DirectFile kernel = new DirectFile(device, BLOCK_BYTES, size);
            toClose.add(kernel);
            readers.put("kernel's initiator, O_DIRECT", kernel);
        }
        return readers;
    }
}

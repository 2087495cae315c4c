/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * A namenode and a datanode as processes of their own, on loopback ports that the system chooses, and stores in this
 * process. Files of storage class 0 have their blocks in the datanode; class 1 has blocks in the books only. Not thread
 * safe, apart from the stores.
 */
final class BenchCluster implements AutoCloseable {
    /** The class whose blocks exist in the books only. */
    static final int FAKE_CLASS = 1;

    private static final long FAKE_BLOCKS = 8_000_000;

    private final List<ServerProcess> servers = new ArrayList<>();
    private final Map<String, String> settings = new TreeMap<>();
    private final Path dataPath;
    private CrailStore store;
    private CrailStore mappedStore;

    private BenchCluster(Path dataPath) {
        this.dataPath = dataPath;
    }

    /**
     * Starts everything.
     *
     * @param storageMib the size of the datanode
     * @param settings configuration of all parts, by key; may be empty
     * @param jvmOptions options of the servers' JVMs
     */
    static BenchCluster start(int storageMib, Map<String, String> settings, List<String> jvmOptions) throws Exception {
        Path memory = Path.of("/dev/shm");
        Path dataPath = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "crail-bench")
                : Files.createTempDirectory("crail-bench");
        BenchCluster cluster = new BenchCluster(dataPath);
        try {
            cluster.configure(storageMib, settings);
            cluster.launch(jvmOptions);
            return cluster;
        } catch (Exception e) { // whatever it is, nothing may be left running
            cluster.close();
            throw e;
        }
    }

    private void configure(int storageMib, Map<String, String> overrides) {
        settings.put("crail.namenode.address", "crail://127.0.0.1:0");
        settings.put("crail.storage.classes", "2");
        settings.put("crail.storage.keepalive", "1h"); // the datanode that does not exist sends no heartbeats
        settings.put("crail.tokenexpiration", "2s"); // what a round has written is free again soon
        settings.put("crail.storage.tcp.datapath", dataPath.toString());
        settings.put("crail.storage.tcp.storagelimit", storageMib + "m");
        settings.put("crail.storage.tcp.allocationsize", storageMib + "m");
        settings.put("crail.storage.tcp.port", "0");
        settings.put("crail.singleton", "false");
        settings.putAll(overrides);
    }

    private void launch(List<String> jvmOptions) throws Exception {
        ServerProcess namenode = startServer(CrailServer.NAMENODE, jvmOptions);
        InetSocketAddress address = namenode.address();
        settings.put("crail.namenode.address", "crail://" + address.getHostString() + ":" + address.getPort());
        startServer(CrailServer.DATANODE, jvmOptions);
        registerFakeBlocks(configuration(), address);
        store = openStore(false);
        mappedStore = openStore(true);
    }

    private CrailStore openStore(boolean mapped) throws Exception {
        CrailConfiguration own = configuration();
        own.set("crail.storage.tcp.mapped", Boolean.toString(mapped));
        return CrailStore.newInstance(own);
    }

    private ServerProcess startServer(String role, List<String> jvmOptions) throws IOException {
        List<String> options = new ArrayList<>(jvmOptions);
        settings.forEach((key, value) -> options.add("-D" + key + "=" + value));
        ServerProcess server = ServerProcess.start(CrailServer.class, options, List.of(role));
        servers.add(server);
        return server;
    }

    private CrailConfiguration configuration() {
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        settings.forEach(configuration::set);
        return configuration;
    }

    private static void registerFakeBlocks(CrailConfiguration configuration, InetSocketAddress address)
            throws Exception {
        String transportClass = configuration.get(CrailKeys.NAMENODE_RPC_TYPE);
        try (RpcTransport transport = RpcTransport.createInstance(transportClass, configuration);
                NamenodeConnection connection = NamenodeConnection.of(transport, () -> address, configuration)) {
            connection
                    .call(FakeBlocks.register(FAKE_CLASS, FAKE_BLOCKS, configuration.get(CrailKeys.BLOCK_SIZE)))
                    .get();
        }
    }

    /** A store that uses sockets. */
    CrailStore store() {
        return store;
    }

    /** A store that copies blocks to and from the datanode's memory itself. */
    CrailStore mappedStore() {
        return mappedStore;
    }

    /** The directory of the datanode's memory. */
    Path dataPath() {
        return dataPath;
    }

    /** What differs from the defaults. */
    Map<String, String> settings() {
        return settings;
    }

    @Override
    public void close() throws IOException {
        try {
            close(store);
            close(mappedStore);
        } finally {
            for (int i = servers.size() - 1; i >= 0; i--) {
                servers.get(i).close();
            }
            deleteData();
        }
    }

    private static void close(CrailStore store) throws IOException {
        if (store == null) {
            return;
        }
        try {
            store.close();
        } catch (Exception e) { // the historic signature declares nothing narrower
            throw new IOException("the store could not be closed", e);
        }
    }

    private void deleteData() throws IOException {
        try (Stream<Path> files = Files.walk(dataPath)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

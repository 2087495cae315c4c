/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailStore;
import org.apache.crail.benchmarks.FakeBlocks;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.CloseAll;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.Servers;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * A cluster of this project, with a configuration: a namenode and a datanode as processes of their own. Values and
 * streams have their blocks in the datanode; files without data have theirs in the namenode's books only, so that their
 * number is not limited by memory.
 */
public final class CrailPeer implements Peer {
    /** The storage class whose blocks exist in the books only. */
    static final int FAKE_CLASS = 1;

    private static final long FAKE_BLOCKS = 8_000_000;

    private static final long MAPPING_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long MAPPING_POLL_MS = 10;

    private static final Set<String> OWN_KEYS = Set.of(
            "crail.unixsockets",
            "crail.namenode.tcp.mapped",
            "crail.storage.tcp.mapped",
            "crail.smallblocksize",
            "crail.storage.classes",
            "crail.storage.keepalive",
            "crail.tokenexpiration",
            "crail.unixsocketpath",
            "crail.storage.tcp.datapath",
            "crail.storage.tcp.storagelimit",
            "crail.storage.tcp.allocationsize",
            "crail.storage.tcp.port",
            "crail.singleton",
            "crail.namenode.address");

    private final String name;
    private final Set<Ability> abilities;
    private final int transfersInFlight;
    private final int storageMib;
    private final CrailWay way;
    private final Map<String, String> settings = new TreeMap<>();
    private RpcTransport transport;
    private NamenodeConnection namenode;
    private CrailStore store;
    private CrailWayCheck check;
    private Path siteFile;

    /**
     * Starts nothing yet.
     *
     * @param transfersInFlight of a stream
     * @param storageMib the size of the datanode
     * @param settings that users want, by key; none of {@link #ownKeys}
     * @param way what this system is named after, and in which it differs from the others of the project
     */
    public CrailPeer(
            String name,
            Set<Ability> abilities,
            int transfersInFlight,
            int storageMib,
            Map<String, String> settings,
            CrailWay way) {
        this.name = name;
        this.abilities = abilities;
        this.transfersInFlight = transfersInFlight;
        this.storageMib = storageMib;
        this.way = way;
        this.settings.putAll(settings);
    }

    /**
     * The keys that are set here, or on whose defaults the size of a store relies, so that nobody else may set them.
     */
    public static Set<String> ownKeys() {
        return OWN_KEYS;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Ability> abilities() {
        return abilities;
    }

    @Override
    public int spaceMib() {
        return storageMib;
    }

    @Override
    public void start(Servers servers) throws Exception {
        settings.putAll(way.settings());
        settings.put("crail.storage.classes", "2");
        settings.put("crail.storage.keepalive", "1h"); // the datanode that does not exist sends no heartbeats
        settings.put("crail.tokenexpiration", "2s"); // what a turn has written is free again soon
        settings.put("crail.unixsocketpath", servers.newDirectory("sock").toString()); // short, as it must be
        settings.put("crail.storage.tcp.datapath", servers.newDirectory(name).toString());
        settings.put("crail.storage.tcp.storagelimit", storageMib + "m");
        settings.put("crail.storage.tcp.allocationsize", storageMib + "m");
        settings.put("crail.storage.tcp.port", "0");
        settings.put("crail.singleton", "false");
        settings.put("crail.namenode.address", "crail://127.0.0.1:0");
        InetSocketAddress address = startServer(servers, CrailServer.NAMENODE);
        settings.put("crail.namenode.address", "crail://" + address.getHostString() + ":" + address.getPort());
        InetSocketAddress datanode = startServer(servers, CrailServer.DATANODE);
        siteFile = writeSiteFile(servers.newDirectory("conf"));
        connectToNamenode(address);
        store = CrailStore.newInstance(configuration());
        check = new CrailWayCheck(way, store.getStatistics(), List.of(address, datanode));
        if (way == CrailWay.MAPPED) {
            awaitMapping();
        }
    }

    /** The configuration as a program of users reads it. */
    private Path writeSiteFile(Path directory) throws IOException {
        List<String> lines = new ArrayList<>();
        settings.forEach((key, value) -> lines.add(key + " = " + value.replace("$", "$$")));
        return Files.write(directory.resolve("crail-site.conf"), lines);
    }

    @Override
    public Optional<String> address() {
        return Optional.of(siteFile.toString());
    }

    /** Opens a store the way that programs do. */
    @Override
    public void attach(String address) throws Exception {
        store = CrailStore.newInstance(CrailConfiguration.createConfigurationFromFile(address));
    }

    /** A client maps a datanode's memory in the background when it uses it first. */
    private void awaitMapping() throws Exception {
        try (PeerClient client = connect()) {
            String key = client.table("mapped") + "first";
            client.prepare(new byte[1]);
            long endNs = System.nanoTime() + MAPPING_LIMIT_NS;
            client.put(key);
            while (!check.hasLocalTransfers()) {
                if (System.nanoTime() - endNs > 0) {
                    throw new IOException(
                            "the client does not map the datanode's memory: that must be in memory, such as"
                                    + " /dev/shm, and both must run as one user; see --directory");
                }
                Thread.sleep(MAPPING_POLL_MS);
                client.put(key);
            }
            client.awaitRoom();
        }
        check.begin();
    }

    @Override
    public void check() throws IOException {
        check.check();
    }

    private InetSocketAddress startServer(Servers servers, String role) throws IOException {
        List<String> options = new ArrayList<>();
        settings.forEach((key, value) -> options.add("-D" + key + "=" + value));
        return servers.startJava(CrailServer.class, options, List.of(role)).address();
    }

    /** What clients need. */
    CrailConfiguration configuration() {
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        settings.forEach(configuration::set);
        return configuration;
    }

    private void connectToNamenode(InetSocketAddress address) throws Exception {
        CrailConfiguration configuration = configuration();
        transport = RpcTransport.createInstance(configuration.get(CrailKeys.NAMENODE_RPC_TYPE), configuration);
        namenode = NamenodeConnection.of(transport, () -> address, configuration);
        namenode.call(FakeBlocks.register(FAKE_CLASS, FAKE_BLOCKS, configuration.get(CrailKeys.BLOCK_SIZE)))
                .get();
    }

    /** Blocks of nodes that are no more, which cannot be used again yet. */
    private long pendingBlocks() throws Exception {
        return namenode.call(new ReportRequest()).get().datanodes().stream()
                .mapToLong(DatanodeReport::pendingBlocks)
                .sum();
    }

    @Override
    public PeerClient connect() {
        return new CrailClient(store, transfersInFlight, this::pendingBlocks);
    }

    @Override
    public void close() throws IOException {
        List<AutoCloseable> all = new ArrayList<>();
        if (store != null) {
            all.add(store);
        }
        if (namenode != null) {
            all.add(namenode);
        }
        if (transport != null) {
            all.add(transport);
        }
        CloseAll.all(all);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.testkit.servers.ClusterServers;
import org.apache.crail.testkit.servers.StartedDatanode;

/**
 * A namenode and datanodes, each of which can be stopped and started again. Where they run is a matter of the kind of
 * cluster and of {@link org.apache.crail.testkit.servers.ServerPlace}. All listen on ports that the system chooses.
 * Used by one test thread; stores that it opens may be used by any.
 */
public final class MiniCluster implements AutoCloseable {
    private final ClusterKind kind;
    private final CrailConfiguration configuration;
    private final ClusterServers servers;
    private final List<StartedDatanode> datanodes = new ArrayList<>();
    private final List<CrailStore> stores = new ArrayList<>();
    private final int blocksPerDatanode;
    private InetSocketAddress namenodeAddress;

    private MiniCluster(Builder builder, ClusterServers servers) {
        this.kind = builder.kind;
        this.blocksPerDatanode = builder.blocksPerDatanode;
        this.configuration = builder.configuration;
        this.servers = servers;
        configuration.set(CrailKeys.NAMENODE_ADDRESS.name(), "crail://" + servers.host() + ":0");
    }

    /** A cluster of this kind, with settings that suit tests: small blocks, short leases and time limits. */
    public static Builder builder(ClusterKind kind) throws IOException {
        return new Builder(kind);
    }

    /** The settings of this cluster, the namenode's address among them; a copy, to be changed freely. */
    public CrailConfiguration configuration() {
        return configuration.copy();
    }

    /** Where the namenode listens. */
    public InetSocketAddress namenodeAddress() {
        return namenodeAddress;
    }

    /** The datanode that was started as number {@code index}, the latest if it was restarted. */
    public StartedDatanode datanode(int index) {
        return datanodes.get(index);
    }

    /** Opens a store of its own on this cluster; closed with the cluster if not before. */
    public CrailStore newStore() throws Exception {
        CrailStore store = CrailStore.newInstance(configuration());
        stores.add(store);
        return store;
    }

    /** Starts one more datanode. */
    public StartedDatanode startDatanode(int storageClass) throws CrailException {
        return startDatanode(storageClass, blocksPerDatanode);
    }

    private StartedDatanode startDatanode(int storageClass, int blocks) throws CrailException {
        StartedDatanode datanode = launchDatanode(new ClusterKind.Place(datanodes.size(), storageClass, 0), blocks);
        datanodes.add(datanode);
        return datanode;
    }

    /** Ends a datanode, which says goodbye to the namenode; its blocks are lost with it. */
    public void stopDatanode(int index) throws CrailException {
        servers.stopDatanode(index);
    }

    /** Ends a datanode as if it were killed: the namenode learns nothing; its blocks are lost with it. */
    public void killDatanode(int index) throws CrailException {
        servers.killDatanode(index);
    }

    /** Starts a datanode at the address of one that was stopped. */
    public StartedDatanode restartDatanode(int index) throws CrailException {
        DataNodeInfo former = datanodes.get(index).info();
        ClusterKind.Place place = new ClusterKind.Place(index, former.getStorageClass(), former.getPort());
        StartedDatanode datanode = launchDatanode(place, blocksPerDatanode);
        datanodes.set(index, datanode);
        return datanode;
    }

    private StartedDatanode launchDatanode(ClusterKind.Place place, int blocks) throws CrailException {
        CrailConfiguration own = configuration();
        return servers.startDatanode(place.number(), own, kind.datanode(own, place, blocks));
    }

    /** As many blocks as asked for; most of them in class 1 if the kind has one. */
    private void startDatanodes(int count, int firstClassBlocks) throws CrailException {
        int first = firstClassBlocks > 0 ? Math.min(firstClassBlocks, blocksPerDatanode - 1) : blocksPerDatanode;
        for (int i = 0; i < count; i++) {
            startDatanode(0, first);
        }
        if (first < blocksPerDatanode) {
            startDatanode(1, count * (blocksPerDatanode - first));
        }
    }

    /** Ends the namenode, whose state is lost with it. */
    public void stopNamenode() throws CrailException {
        servers.stopNamenode();
    }

    /** Starts a namenode; at the former address if there was one before. */
    public void startNamenode() throws CrailException {
        namenodeAddress = servers.startNamenode(configuration());
        configuration.set(
                CrailKeys.NAMENODE_ADDRESS.name(),
                "crail://" + namenodeAddress.getHostString() + ":" + namenodeAddress.getPort());
    }

    /**
     * Opens a store where the servers are, which writes one file and does nothing after that, until their process ends.
     */
    public void openClientThere(CrailConfiguration itsConfiguration) throws CrailException {
        servers.openClient(itsConfiguration);
    }

    /** Ends the host of all servers without any goodbye, where they have one of their own. */
    public void killHost() throws CrailException {
        servers.killHost();
    }

    /** Asks the namenode, over a connection of its own. */
    public <R extends Response> R call(Request<R> request) throws Exception {
        return call(request, namenodeAddress(), configuration);
    }

    /** What the namenode at an address answers to a request over a connection of its own. */
    public static <R extends Response> R call(
            Request<R> request, InetSocketAddress address, CrailConfiguration configuration) throws Exception {
        try (RpcTransport transport =
                        RpcTransport.createInstance(configuration.get(CrailKeys.NAMENODE_RPC_TYPE), configuration);
                NamenodeConnection connection = NamenodeConnection.of(transport, () -> address, configuration)) {
            return connection.call(request).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CrailException failure ? failure : e;
        }
    }

    /** Counts all blocks; fails if free, allocated and pending ones are not all that are registered. */
    public CheckResponse checkBlocks() throws Exception {
        CheckResponse check = servers.check();
        if (!check.problems().isEmpty() || check.free() + check.allocated() + check.pending() != check.registered()) {
            throw new AssertionError("blocks are not conserved: " + check);
        }
        return check;
    }

    @Override
    public void close() throws IOException {
        for (CrailStore store : stores) {
            new TestClient(store).close();
        }
        servers.close();
    }

    /** Collects what a cluster is to be. Not thread safe. */
    public static final class Builder {
        private final ClusterKind kind;
        private final CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        private int datanodes = 1;
        private int blocksPerDatanode = 64;
        private int firstClassBlocks;

        private Builder(ClusterKind kind) throws IOException {
            this.kind = kind;
            this.firstClassBlocks = kind.blocksOfFirstClass();
            configuration.set("crail.singleton", "false");
            configuration.set("crail.blocksize", "64k");
            configuration.set("crail.buffersize", "64k");
            configuration.set("crail.slicesize", "16k");
            configuration.set("crail.cachelimit", "0");
            configuration.set("crail.tokenexpiration", Patience.ofMs(2_000));
            configuration.set("crail.storage.keepalive", Patience.ofMs(100));
            configuration.set("crail.connecttimeout", Patience.ofMs(5_000));
            configuration.set("crail.rpctimeout", Patience.ofMs(5_000));
            configuration.set("crail.datatimeout", Patience.ofMs(5_000));
            kind.configure(configuration);
        }

        /** The number of datanodes of storage class 0; 1 unless told. */
        public Builder datanodes(int count) {
            datanodes = count;
            return this;
        }

        /** The number of blocks of each datanode; 64 unless told. */
        public Builder blocksPerDatanode(int count) {
            blocksPerDatanode = count;
            return this;
        }

        /** Leaves it to the test to start datanodes of class 1; those of class 0 have all their blocks. */
        public Builder firstClassOnly() {
            firstClassBlocks = 0;
            return this;
        }

        /** Sets a configuration key for all parts of the cluster. */
        public Builder with(String key, String value) {
            configuration.set(key, value);
            return this;
        }

        /** Changes the configuration of all parts of the cluster. */
        public Builder configure(Consumer<CrailConfiguration> change) {
            change.accept(configuration);
            return this;
        }

        /** Starts the cluster; returns when all datanodes have registered. */
        public MiniCluster start() throws Exception {
            MiniCluster cluster = new MiniCluster(this, kind.newServers());
            boolean started = false;
            try {
                cluster.startNamenode();
                cluster.startDatanodes(datanodes, firstClassBlocks);
                started = true;
                return cluster;
            } finally {
                if (!started) {
                    cluster.close();
                }
            }
        }
    }
}

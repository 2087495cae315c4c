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
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.storage.datanode.Datanode;

/**
 * A namenode and datanodes in this process, each of which can be stopped and started again. All listen on ports that the
 * system chooses. Used by one test thread; stores that it opens may be used by any.
 */
public final class MiniCluster implements AutoCloseable {
    private final ClusterKind kind;
    private final CrailConfiguration configuration;
    private final List<Datanode> datanodes = new ArrayList<>();
    private final List<CrailStore> stores = new ArrayList<>();
    private final int blocksPerDatanode;
    private Namenode namenode;

    private MiniCluster(Builder builder) throws CrailException {
        this.kind = builder.kind;
        this.blocksPerDatanode = builder.blocksPerDatanode;
        this.configuration = builder.configuration;
        startNamenode();
    }

    /** A cluster of this kind, with settings that suit tests: small blocks, short leases and time limits. */
    public static Builder builder(ClusterKind kind) throws IOException {
        return new Builder(kind);
    }

    /** The settings of this cluster, the namenode's address among them; a copy, to be changed freely. */
    public CrailConfiguration configuration() {
        return configuration.copy();
    }

    public Namenode namenode() {
        return namenode;
    }

    /** The datanode that was started as number {@code index}, the latest if it was restarted. */
    public Datanode datanode(int index) {
        return datanodes.get(index);
    }

    /** Opens a store of its own on this cluster; closed with the cluster if not before. */
    public CrailStore newStore() throws Exception {
        CrailStore store = CrailStore.newInstance(configuration());
        stores.add(store);
        return store;
    }

    /** Starts one more datanode. */
    public Datanode startDatanode(int storageClass) throws CrailException {
        Datanode datanode = launchDatanode(storageClass, 0);
        datanodes.add(datanode);
        return datanode;
    }

    /** Ends a datanode, whose blocks are lost with it. */
    public void stopDatanode(int index) {
        datanodes.get(index).close();
    }

    /** Starts a datanode at the address of one that was stopped. */
    public Datanode restartDatanode(int index) throws CrailException {
        Datanode former = datanodes.get(index);
        Datanode datanode =
                launchDatanode(former.info().getStorageClass(), former.info().getPort());
        datanodes.set(index, datanode);
        return datanode;
    }

    private Datanode launchDatanode(int storageClass, int port) throws CrailException {
        CrailConfiguration own = configuration();
        return Datanode.start(own, null, storageClass, kind.tierArguments(own, blocksPerDatanode, port));
    }

    /** Ends the namenode, whose state is lost with it. */
    public void stopNamenode() {
        namenode.close();
    }

    /** Starts a namenode; at the former address if there was one before. */
    public void startNamenode() throws CrailException {
        namenode = Namenode.start(configuration, NamenodeOptions.none());
        InetSocketAddress address = namenode.address();
        configuration.set(
                CrailKeys.NAMENODE_ADDRESS.name(), "crail://" + address.getHostString() + ":" + address.getPort());
    }

    /** Asks the namenode, over a connection of its own. */
    public <R extends Response> R call(Request<R> request) throws Exception {
        try (RpcTransport transport =
                        RpcTransport.createInstance(configuration.get(CrailKeys.NAMENODE_RPC_TYPE), configuration);
                NamenodeConnection connection = NamenodeConnection.of(transport, namenode::address, configuration)) {
            return connection.call(request).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CrailException failure ? failure : e;
        }
    }

    /** Counts all blocks; fails if free, allocated and pending ones are not all that are registered. */
    public CheckResponse checkBlocks() throws Exception {
        CheckResponse check = call(new CheckRequest());
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
        datanodes.forEach(Datanode::close);
        namenode.close();
    }

    /** Collects what a cluster is to be. Not thread safe. */
    public static final class Builder {
        private final ClusterKind kind;
        private final CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        private int datanodes = 1;
        private int blocksPerDatanode = 64;

        private Builder(ClusterKind kind) throws IOException {
            this.kind = kind;
            configuration.set("crail.namenode.address", "crail://localhost:0");
            configuration.set("crail.singleton", "false");
            configuration.set("crail.blocksize", "64k");
            configuration.set("crail.buffersize", "64k");
            configuration.set("crail.slicesize", "16k");
            configuration.set("crail.cachelimit", "0");
            configuration.set("crail.tokenexpiration", "2s");
            configuration.set("crail.storage.keepalive", "100ms");
            configuration.set("crail.rpctimeout", "5s");
            configuration.set("crail.datatimeout", "5s");
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
            MiniCluster cluster = new MiniCluster(this);
            boolean started = false;
            try {
                for (int i = 0; i < datanodes; i++) {
                    cluster.startDatanode(0);
                }
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.testkit.servers.AgentProcess;
import org.apache.crail.testkit.servers.DatanodeOptions;
import org.apache.crail.testkit.servers.LocalServers;
import org.apache.crail.testkit.servers.RemoteServers;
import org.apache.crail.testkit.servers.ServerPlace;
import org.apache.crail.testkit.servers.Servers;

/** What a test's cluster consists of. Immutable. */
public enum ClusterKind {
    /** Both planes inside the process. */
    MEMORY {
        @Override
        void configure(CrailConfiguration configuration) {
            configuration.set("crail.namenode.rpctype", MemoryTransport.class.getName());
            configuration.set("crail.storage.types", MEMORY_TIER);
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, int storageClass, int blocks, int port) {
            return new DatanodeOptions(
                    MEMORY_TIER, storageClass, List.of(Integer.toString(blocks), Integer.toString(port)));
        }

        @Override
        Servers newServers() {
            return new LocalServers("localhost");
        }
    },

    /** Both planes over TCP. */
    SOCKETS {
        @Override
        void configure(CrailConfiguration configuration) {
            configuration.set("crail.storage.tcp.port", "0");
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, int storageClass, int blocks, int port) {
            sizeRegion("crail.storage.tcp.", configuration, blocks, port);
            return new DatanodeOptions(TCP_TIER, storageClass, List.of());
        }
    },

    /** As {@link #SOCKETS}, with the servers in another process in any case. */
    PROCESSES {
        @Override
        void configure(CrailConfiguration configuration) {
            SOCKETS.configure(configuration);
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, int storageClass, int blocks, int port) {
            return SOCKETS.datanode(configuration, storageClass, blocks, port);
        }

        @Override
        Servers newServers() throws Exception {
            return ServerPlace.isHere()
                    ? RemoteServers.connect(AgentProcess.shared().address())
                    : super.newServers();
        }
    },

    /** Metadata over DaRPC, data over one-sided verbs. */
    RDMA {
        @Override
        void configure(CrailConfiguration configuration) {
            configuration.set("crail.namenode.rpctype", "org.apache.crail.namenode.rpc.darpc.DaRPCNameNode");
            configuration.set("crail.storage.types", RDMA_TIER);
            configuration.set("crail.storage.rdma.port", "0");
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, int storageClass, int blocks, int port) {
            sizeRegion("crail.storage.rdma.", configuration, blocks, port);
            return new DatanodeOptions(RDMA_TIER, storageClass, List.of());
        }
    },

    /** As {@link #RDMA}, but blocks of other storage classes than 0 are on datanodes of the {@code tcp} tier. */
    RDMA_AND_TCP {
        @Override
        void configure(CrailConfiguration configuration) {
            RDMA.configure(configuration);
            SOCKETS.configure(configuration);
            configuration.set("crail.storage.types", RDMA_TIER + "," + TCP_TIER);
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, int storageClass, int blocks, int port) {
            ClusterKind kind = storageClass == 0 ? RDMA : SOCKETS;
            return kind.datanode(configuration, storageClass, blocks, port);
        }
    };

    private static final String MEMORY_TIER = MemoryTier.class.getName();
    private static final String RDMA_TIER = "org.apache.crail.storage.rdma.RdmaStorageTier";
    private static final String TCP_TIER = "org.apache.crail.storage.tcp.TcpStorageTier";

    /** One region with all blocks. */
    private static void sizeRegion(String tier, CrailConfiguration configuration, int blocks, int port) {
        long bytes = blocks * blockSize(configuration);
        configuration.set(tier + "storagelimit", Long.toString(bytes));
        configuration.set(tier + "allocationsize", Long.toString(bytes));
        configuration.set(tier + "port", Integer.toString(port));
    }

    private static long blockSize(CrailConfiguration configuration) {
        try {
            return configuration.get(CrailKeys.BLOCK_SIZE);
        } catch (ConfigurationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Sets what is particular to this kind. */
    abstract void configure(CrailConfiguration configuration);

    /** Prepares the configuration of a datanode of this storage class, with so many blocks at this port (0: any). */
    abstract DatanodeOptions datanode(CrailConfiguration configuration, int storageClass, int blocks, int port);

    /** The server side of one cluster, of which nothing has been started yet. */
    Servers newServers() throws Exception {
        return ServerPlace.newServers();
    }
}

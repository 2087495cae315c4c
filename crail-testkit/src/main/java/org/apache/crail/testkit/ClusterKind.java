/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.testkit.servers.AgentProcess;
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
            configuration.set("crail.storage.types", MemoryTier.class.getName());
        }

        @Override
        List<String> tierArguments(CrailConfiguration configuration, int blocks, int port) {
            return List.of(Integer.toString(blocks), Integer.toString(port));
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
        List<String> tierArguments(CrailConfiguration configuration, int blocks, int port) {
            return regions("crail.storage.tcp.", configuration, blocks, port);
        }
    },

    /** As {@link #SOCKETS}, with the servers in another process in any case. */
    PROCESSES {
        @Override
        void configure(CrailConfiguration configuration) {
            SOCKETS.configure(configuration);
        }

        @Override
        List<String> tierArguments(CrailConfiguration configuration, int blocks, int port) {
            return SOCKETS.tierArguments(configuration, blocks, port);
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
            configuration.set("crail.storage.types", "org.apache.crail.storage.rdma.RdmaStorageTier");
            configuration.set("crail.storage.rdma.port", "0");
        }

        @Override
        List<String> tierArguments(CrailConfiguration configuration, int blocks, int port) {
            return regions("crail.storage.rdma.", configuration, blocks, port);
        }
    };

    /** One region with all blocks. */
    private static List<String> regions(String tier, CrailConfiguration configuration, int blocks, int port) {
        long bytes = blocks * blockSize(configuration);
        configuration.set(tier + "storagelimit", Long.toString(bytes));
        configuration.set(tier + "allocationsize", Long.toString(bytes));
        configuration.set(tier + "port", Integer.toString(port));
        return List.of();
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

    /** Prepares the configuration of a datanode with so many blocks at this port (0: any); answers its tier's arguments. */
    abstract List<String> tierArguments(CrailConfiguration configuration, int blocks, int port);

    /** The server side of one cluster, of which nothing has been started yet. */
    Servers newServers() throws Exception {
        return ServerPlace.newServers();
    }
}

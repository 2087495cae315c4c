/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.testkit.nvme.NvmeTarget;
import org.apache.crail.testkit.nvme.NvmeTargets;
import org.apache.crail.testkit.servers.AgentProcess;
import org.apache.crail.testkit.servers.ClusterServers;
import org.apache.crail.testkit.servers.DatanodeOptions;
import org.apache.crail.testkit.servers.LocalServers;
import org.apache.crail.testkit.servers.RemoteServers;
import org.apache.crail.testkit.servers.ServerPlace;

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
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            return new DatanodeOptions(
                    MEMORY_TIER,
                    place.storageClass(),
                    List.of(Integer.toString(blocks), Integer.toString(place.port())));
        }

        @Override
        ClusterServers newServers() {
            return new LocalServers("localhost");
        }
    },

    /** Both planes over TCP, for every transfer. */
    SOCKETS {
        @Override
        void configure(CrailConfiguration configuration) {
            configuration.set("crail.storage.tcp.port", "0");
            configuration.set("crail.storage.tcp.mapped", "false");
            configuration.set("crail.unixsockets", "false");
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            sizeRegion("crail.storage.tcp.", configuration, place, blocks);
            return new DatanodeOptions(TCP_TIER, place.storageClass(), List.of());
        }
    },

    /** As {@link #SOCKETS}, over Unix domain sockets. */
    UNIX {
        @Override
        void configure(CrailConfiguration configuration) {
            SOCKETS.configure(configuration);
            configuration.set("crail.unixsockets", "true");
            configuration.set("crail.namenode.tcp.mapped", "false");
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            return SOCKETS.datanode(configuration, place, blocks);
        }
    },

    /**
     * As {@link #UNIX}, with messages through memory, and clients that copy blocks to and from the memory of the
     * datanodes themselves.
     */
    MAPPED {
        @Override
        void configure(CrailConfiguration configuration) {
            UNIX.configure(configuration);
            configuration.set("crail.namenode.tcp.mapped", "true");
            configuration.set("crail.storage.tcp.mapped", "true");
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            return SOCKETS.datanode(configuration, place, blocks);
        }
    },

    /** As {@link #MAPPED}, with the servers in another process in any case. */
    PROCESSES {
        @Override
        void configure(CrailConfiguration configuration) {
            MAPPED.configure(configuration);
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            return SOCKETS.datanode(configuration, place, blocks);
        }

        @Override
        ClusterServers newServers() throws Exception {
            return ServerPlace.isHere()
                    ? RemoteServers.connect(AgentProcess.shared().address())
                    : super.newServers();
        }
    },

    /**
     * As {@link #SOCKETS}, with a second class whose blocks are on a disk; the first class is small, so that the second
     * is used.
     */
    TCP_AND_DISK {
        @Override
        void configure(CrailConfiguration configuration) {
            SOCKETS.configure(configuration);
            configuration.set("crail.storage.classes", "2");
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            if (place.storageClass() > 0) {
                configuration.set("crail.storage.tcp.datapath", DISK_PATH);
            }
            return SOCKETS.datanode(configuration, place, blocks);
        }

        @Override
        int blocksOfFirstClass() {
            return 4;
        }
    },

    /** Metadata over DaRPC, data over one-sided verbs, for every transfer. */
    RDMA {
        @Override
        void configure(CrailConfiguration configuration) {
            configuration.set("crail.namenode.rpctype", "org.apache.crail.namenode.rpc.darpc.DaRPCNameNode");
            configuration.set("crail.storage.types", RDMA_TIER);
            configuration.set("crail.storage.rdma.port", "0");
            configuration.set("crail.storage.rdma.localmap", "false");
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            sizeRegion("crail.storage.rdma.", configuration, place, blocks);
            return new DatanodeOptions(RDMA_TIER, place.storageClass(), List.of());
        }
    },

    /**
     * As {@link #RDMA}, with clients that copy blocks to and from the memory of the datanodes on their host themselves.
     */
    RDMA_MAPPED {
        @Override
        void configure(CrailConfiguration configuration) {
            RDMA.configure(configuration);
            configuration.set("crail.storage.rdma.localmap", "true");
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            return RDMA.datanode(configuration, place, blocks);
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
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            ClusterKind kind = place.storageClass() == 0 ? RDMA : SOCKETS;
            return kind.datanode(configuration, place, blocks);
        }
    },

    /** Metadata over TCP, data on targets of NVMe over Fabrics, one for each datanode; only in the lab. */
    NVMF {
        @Override
        void configure(CrailConfiguration configuration) {
            configuration.set("crail.storage.types", NVMF_TIER);
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            useTarget(configuration, NvmeTargets.numbered(place.number()), blocks);
            return new DatanodeOptions(NVMF_TIER, place.storageClass(), List.of());
        }
    },

    /** As {@link #NVMF}, with a range for each datanode, one behind the other, of one target's namespace. */
    NVMF_SHARED {
        @Override
        void configure(CrailConfiguration configuration) {
            NVMF.configure(configuration);
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            long rangeBytes = useTarget(configuration, NvmeTargets.numbered(0), blocks);
            configuration.set("crail.storage.nvmf.offset", Long.toString(place.number() * rangeBytes));
            return new DatanodeOptions(NVMF_TIER, place.storageClass(), List.of());
        }
    },

    /**
     * As {@link #SOCKETS}, with a second class as {@link #NVMF}; the first class is small, so that the second is used.
     */
    TCP_AND_NVMF {
        @Override
        void configure(CrailConfiguration configuration) {
            SOCKETS.configure(configuration);
            configuration.set("crail.storage.types", TCP_TIER + "," + NVMF_TIER);
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            ClusterKind kind = place.storageClass() == 0 ? SOCKETS : NVMF;
            return kind.datanode(configuration, place, blocks);
        }

        @Override
        int blocksOfFirstClass() {
            return 4;
        }
    },

    /** As {@link #RDMA}, but blocks of other storage classes than 0 are on targets, as with {@link #NVMF}. */
    RDMA_AND_NVMF {
        @Override
        void configure(CrailConfiguration configuration) {
            RDMA.configure(configuration);
            configuration.set("crail.storage.types", RDMA_TIER + "," + NVMF_TIER);
        }

        @Override
        DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks) {
            ClusterKind kind = place.storageClass() == 0 ? RDMA : NVMF;
            return kind.datanode(configuration, place, blocks);
        }
    };

    /**
     * Which datanode of a cluster it is.
     *
     * @param number counted from 0
     * @param storageClass what its blocks belong to
     * @param port where it listened before, or 0
     */
    record Place(int number, int storageClass, int port) {}

    private static final String MEMORY_TIER = MemoryTier.class.getName();
    private static final String RDMA_TIER = "org.apache.crail.storage.rdma.RdmaStorageTier";
    private static final String NVMF_TIER = "org.apache.crail.storage.nvmf.NvmfStorageTier";
    private static final String DISK_PATH =
            System.getProperty("java.io.tmpdir") + "/crail-disk-" + System.getProperty("user.name");
    private static final String TCP_TIER = "org.apache.crail.storage.tcp.TcpStorageTier";

    /** One region with all blocks. */
    private static void sizeRegion(String tier, CrailConfiguration configuration, Place place, int blocks) {
        long bytes = blocks * blockSize(configuration);
        configuration.set(tier + "storagelimit", Long.toString(bytes));
        configuration.set(tier + "allocationsize", Long.toString(bytes));
        configuration.set(tier + "port", Integer.toString(place.port()));
    }

    /** A range with room for all blocks, and one more for the datanode itself; answers its length. */
    private static long useTarget(CrailConfiguration configuration, NvmeTarget target, int blocks) {
        long rangeBytes = (blocks + 1) * blockSize(configuration);
        configuration.set("crail.storage.nvmf.ip", target.address().getHostString());
        configuration.set(
                "crail.storage.nvmf.port", Integer.toString(target.address().getPort()));
        configuration.set("crail.storage.nvmf.nqn", target.nqn());
        configuration.set("crail.storage.nvmf.namespace", Integer.toString(NvmeTarget.NAMESPACE));
        configuration.set("crail.storage.nvmf.storagelimit", Long.toString(rangeBytes));
        return rangeBytes;
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

    /** The blocks of each datanode of class 0 if those of class 1 are to hold the rest, or 0 if there is no class 1. */
    int blocksOfFirstClass() {
        return 0;
    }

    /** Prepares the configuration of a datanode with so many blocks. */
    abstract DatanodeOptions datanode(CrailConfiguration configuration, Place place, int blocks);

    /** The server side of one cluster, of which nothing has been started yet. */
    ClusterServers newServers() throws Exception {
        return ServerPlace.newServers();
    }
}

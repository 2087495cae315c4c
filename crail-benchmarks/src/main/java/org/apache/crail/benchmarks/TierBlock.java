/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;

/** One block of a tier, served in this process without a namenode, and clients that read it. Not thread safe. */
final class TierBlock implements AutoCloseable {
    private final CrailConfiguration conf;
    private final StorageTier tier;
    private final StorageServer server;
    private final Region region;
    private final DataNodeInfo datanode;
    private final int blockBytes;
    private final List<StorageClient> clients = new ArrayList<>();

    private TierBlock(String className, CrailConfiguration conf, int blockBytes) throws Exception {
        this.conf = conf;
        this.blockBytes = blockBytes;
        this.tier = StorageTier.createInstance(className);
        this.server = tier.launchServer(conf, List.of());
        this.region = server.allocateRegion().orElseThrow();
        String host = server.host().isEmpty() ? address().getAddress().getHostAddress() : server.host();
        this.datanode = new DataNodeInfo(0, 0, 0, host, address().getPort(), server.locator());
    }

    /**
     * Starts the server of a tier in memory.
     *
     * @param settings of both sides
     * @param dataPath where its memory is
     */
    static TierBlock inMemory(String className, String name, CrailConfiguration settings, Path dataPath, int blockBytes)
            throws Exception {
        String prefix = "crail.storage." + name + ".";
        CrailConfiguration conf = settings.copy();
        conf.set(prefix + "port", "0");
        conf.set(prefix + "datapath", dataPath.toString());
        conf.set(prefix + "storagelimit", Integer.toString(blockBytes));
        return new TierBlock(className, conf, blockBytes);
    }

    /** Starts a datanode at the target that the settings name. */
    static TierBlock nvmf(CrailConfiguration settings, int blockBytes) throws Exception {
        return new TierBlock("org.apache.crail.storage.nvmf.NvmfStorageTier", settings.copy(), blockBytes);
    }

    private InetSocketAddress address() {
        return server.address();
    }

    /** Reads by DiSNI alone. */
    RawVerbs rawReader(int size, boolean events) throws Exception {
        return new RawVerbs(address(), region.address(), region.key(), size, events);
    }

    /** A client that reads with {@code crail.storage.rdma.type} as given. */
    StorageEndpoint connect(String type) throws Exception {
        CrailConfiguration own = conf.copy();
        own.set("crail.storage.rdma.type", type);
        return connect(own);
    }

    /** A client. */
    StorageEndpoint connect() throws Exception {
        return connect(conf);
    }

    private StorageEndpoint connect(CrailConfiguration own) throws Exception {
        StorageClient client = tier.createClient(own);
        clients.add(client);
        return client.createEndpoint(datanode);
    }

    /** Reads through an endpoint. */
    BlockReader reader(StorageEndpoint endpoint, int size) throws Exception {
        BlockInfo block = new BlockInfo(datanode, 0, region.address(), blockBytes, region.key(), 1);
        List<CrailBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < BlockReader.MOST_IN_FLIGHT; i++) {
            buffers.add(OffHeapBuffer.wrap(ByteBuffer.allocateDirect(size)));
        }
        return BlockReader.of(buffer -> endpoint.read(buffers.get(buffer).clear(), block, 0));
    }

    @Override
    public void close() {
        clients.forEach(StorageClient::close);
        server.close();
    }
}

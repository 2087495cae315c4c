/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.net.InetSocketAddress;
import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;

/**
 * A storage tier inside the process, which checks bounds and epochs as every tier must. Its arguments are the
 * number of blocks that a datanode offers and its port, 0 for any. Methods are thread safe.
 */
public final class MemoryTier implements StorageTier {
    static final MemoryNetwork<MemoryStorageServer> NETWORK = new MemoryNetwork<>();
    private static final int DEFAULT_BLOCKS = 64;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration) {
        return new StorageClient() {
            @Override
            public StorageEndpoint createEndpoint(DataNodeInfo datanode) {
                return new MemoryEndpoint(datanode);
            }

            @Override
            public void close() {
                // Endpoints hold nothing.
            }
        };
    }

    @Override
    public StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) throws CrailException {
        int blocks = arguments.isEmpty() ? DEFAULT_BLOCKS : Integer.parseInt(arguments.get(0));
        int port = arguments.size() < 2 ? 0 : Integer.parseInt(arguments.get(1));
        int blockSize = Math.toIntExact(configuration.get(CrailKeys.BLOCK_SIZE));
        MemoryStorageServer server = new MemoryStorageServer(blocks, blockSize);
        server.bind(NETWORK.bind(InetSocketAddress.createUnresolved("localhost", port), server));
        return server;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageEndpoint;

/** The client side of the tier in memory; transfers are done by a pool's thread. Methods are thread safe. */
final class MemoryEndpoint implements StorageEndpoint {
    private final DataNodeInfo datanode;

    MemoryEndpoint(DataNodeInfo datanode) {
        this.datanode = datanode;
    }

    @Override
    public CompletableFuture<Integer> read(CrailBuffer buffer, BlockInfo block, long offset) {
        return transfer(buffer, bytes -> server().read(bytes, block, offset));
    }

    @Override
    public CompletableFuture<Integer> write(CrailBuffer buffer, BlockInfo block, long offset) {
        return transfer(buffer, bytes -> server().write(bytes, block, offset));
    }

    private static CompletableFuture<Integer> transfer(CrailBuffer buffer, Transfer transfer) {
        ByteBuffer bytes = buffer.getByteBuffer().duplicate();
        bytes.limit(buffer.limit()).position(buffer.position());
        int length = bytes.remaining();
        buffer.position(buffer.limit());
        CompletableFuture<Integer> done = new CompletableFuture<>();
        done.completeAsync(() -> {
            try {
                transfer.run(bytes);
            } catch (CrailException e) {
                done.completeExceptionally(e);
            }
            return length;
        });
        return done;
    }

    private MemoryStorageServer server() throws CrailException {
        MemoryStorageServer server = MemoryTier.NETWORK.find(datanode.getPort());
        if (server == null) {
            throw new DatanodeUnreachableException("datanode " + datanode.address() + " does not run; restart it");
        }
        return server;
    }

    @Override
    public boolean isLocal() {
        return false;
    }

    @Override
    public void close() {
        // Holds nothing.
    }

    private interface Transfer {
        void run(ByteBuffer bytes) throws CrailException;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.SharedThreads;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;

/** Transfers over another tier and tells a {@link Probe}; for the client side only. All methods are thread safe. */
public final class ProbeTier implements StorageTier {
    @Override
    public String name() {
        return "probe";
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration) throws CrailException {
        return createClient(configuration, SharedThreads.NONE);
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration, SharedThreads shared) throws CrailException {
        Probe probe = Probe.of(configuration);
        StorageTier tier = StorageTier.createInstance(configuration.get(Probe.TIER_KEY));
        probe.uses(tier);
        StorageClient delegate = tier.createClient(configuration, shared);
        return new StorageClient() {
            @Override
            public StorageEndpoint createEndpoint(DataNodeInfo datanode) throws CrailException {
                return new Endpoint(probe, delegate.createEndpoint(datanode));
            }

            @Override
            public void close() {
                delegate.close();
            }
        };
    }

    @Override
    public StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) {
        throw new UnsupportedOperationException("a probe is for clients only");
    }

    private record Endpoint(Probe probe, StorageEndpoint delegate) implements StorageEndpoint {
        @Override
        public CompletableFuture<Integer> read(CrailBuffer buffer, BlockInfo block, long offset) {
            probe.onRead(buffer, delegate.isMapped(block));
            return delegate.read(buffer, block, offset);
        }

        @Override
        public CompletableFuture<Integer> write(CrailBuffer buffer, BlockInfo block, long offset) {
            probe.onWrite(buffer, delegate.isMapped(block));
            return delegate.write(buffer, block, offset);
        }

        @Override
        public boolean isMapped(BlockInfo block) {
            return delegate.isMapped(block);
        }

        @Override
        public boolean copy(boolean isWrite, ByteBuffer bytes, BlockInfo block, long offset) throws CrailException {
            boolean copied = delegate.copy(isWrite, bytes, block, offset);
            if (copied) {
                probe.onCopy(bytes.remaining());
            }
            return copied;
        }

        @Override
        public boolean isLocal() {
            return delegate.isLocal();
        }

        @Override
        public void close() {
            delegate.close();
        }
    }
}

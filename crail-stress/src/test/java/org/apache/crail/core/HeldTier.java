/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;

/** A tier without memory. Its transfers end at once, or when a scenario says so. Thread safe. */
final class HeldTier implements StorageTier {
    /** Guarded by this. */
    private final List<Transfer> held = new ArrayList<>();

    /** Guarded by this. */
    private final List<Endpoint> endpoints = new ArrayList<>();

    private volatile boolean holds;

    /** One that has begun. */
    static final class Transfer extends CompletableFuture<Integer> {
        private final int bytes;

        private Transfer(int bytes) {
            this.bytes = bytes;
        }

        void succeed() {
            complete(bytes);
        }

        void fail(CrailException reason) {
            completeExceptionally(reason);
        }
    }

    /** Lets transfers wait from now on. */
    void hold() {
        holds = true;
    }

    /** The n-th transfer that waits, when it has begun. */
    synchronized Transfer transfer(int number) throws InterruptedException {
        while (held.size() <= number) {
            wait();
        }
        return held.get(number);
    }

    private synchronized void add(Transfer transfer) {
        held.add(transfer);
        notifyAll();
    }

    /** Fails if an endpoint has been made and not closed. */
    synchronized void assertThatAllAreClosed() {
        assertThat(endpoints).allMatch(endpoint -> endpoint.closed);
    }

    /** How many have been made. */
    synchronized int endpoints() {
        return endpoints.size();
    }

    @Override
    public String name() {
        return "held";
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration) {
        return new StorageClient() {
            @Override
            public StorageEndpoint createEndpoint(DataNodeInfo datanode) {
                return newEndpoint();
            }

            @Override
            public void close() {}
        };
    }

    private synchronized Endpoint newEndpoint() {
        Endpoint endpoint = new Endpoint();
        endpoints.add(endpoint);
        return endpoint;
    }

    @Override
    public StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) {
        throw new UnsupportedOperationException("there is no datanode");
    }

    private final class Endpoint implements StorageEndpoint {
        private volatile boolean closed;

        @Override
        public CompletableFuture<Integer> read(CrailBuffer buffer, BlockInfo block, long offset) {
            return transfer(buffer);
        }

        @Override
        public CompletableFuture<Integer> write(CrailBuffer buffer, BlockInfo block, long offset) {
            return transfer(buffer);
        }

        private CompletableFuture<Integer> transfer(CrailBuffer buffer) {
            Transfer transfer = new Transfer(buffer.remaining());
            buffer.position(buffer.limit());
            if (holds) {
                add(transfer);
            } else {
                transfer.succeed();
            }
            return transfer;
        }

        @Override
        public boolean isLocal() {
            return false;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.Advanceable;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;

/**
 * Blocks on the heap of the test, with an epoch fence, transfers that can be held back and failures on demand. Thread
 * safe.
 */
final class HeapTier implements StorageTier {
    private final Map<Integer, byte[]> datanodes = new ConcurrentHashMap<>();
    private final Map<Long, Long> epochs = new ConcurrentHashMap<>();
    private final ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "heap-tier");
        thread.setDaemon(true);
        return thread;
    });
    private volatile CompletableFuture<Void> readGate = CompletableFuture.completedFuture(null);
    private volatile CompletableFuture<Void> writeGate = CompletableFuture.completedFuture(null);
    private final AtomicReference<Failing> failing = new AtomicReference<>();
    private volatile Runnable late = () -> {};

    /** Which blocks can be copied without a transfer. */
    volatile Predicate<BlockInfo> mapped = block -> false;

    /** Done at the end of each copy, before anybody looks whether it counts. */
    volatile Runnable onCopied = () -> {};

    /** Copies that were not transfers. */
    final List<Access> copies = new CopyOnWriteArrayList<>();

    private final AtomicInteger inFlight = new AtomicInteger();

    /** What a thread does that waits for a transfer. */
    volatile Runnable onAdvance = () -> {};

    private record Failing(Predicate<Access> when, CrailException failure, boolean isOnce) {}

    /** A transfer that is about to happen. */
    record Access(BlockInfo block, boolean write, long offset, int length) {}

    byte[] addDatanode(int port, int bytes) {
        byte[] memory = new byte[bytes];
        datanodes.put(port, memory);
        return memory;
    }

    /** Holds transfers back from now on, until the result is completed. */
    CompletableFuture<Void> hold() {
        CompletableFuture<Void> held = holdWrites();
        readGate = held;
        return held;
    }

    /** As {@link #hold}, but writes go on. */
    CompletableFuture<Void> holdReads() {
        CompletableFuture<Void> held = new CompletableFuture<>();
        readGate = held;
        return held;
    }

    /** As {@link #hold}, but reads go on. */
    CompletableFuture<Void> holdWrites() {
        CompletableFuture<Void> held = new CompletableFuture<>();
        writeGate = held;
        return held;
    }

    /** Transfers that have begun and have not ended. */
    int inFlight() {
        return inFlight.get();
    }

    /** Waits until all transfers that are not held back have ended. */
    void settle() throws Exception {
        worker.submit(() -> {}).get();
    }

    /** Has the transfer that has failed last reach its datanode after all. */
    void arriveLate() {
        late.run();
    }

    /** Fails the next transfer for which {@code when} holds. */
    void failNext(Predicate<Access> when, CrailException failure) {
        failing.set(new Failing(when, failure, true));
    }

    /** Fails all further transfers for which {@code when} holds. */
    void failAll(Predicate<Access> when, CrailException failure) {
        failing.set(new Failing(when, failure, false));
    }

    @Override
    public String name() {
        return "heap";
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration) {
        return new StorageClient() {
            @Override
            public StorageEndpoint createEndpoint(DataNodeInfo datanode) {
                return new HeapEndpoint(datanodes.get(datanode.getPort()));
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) {
        throw new UnsupportedOperationException();
    }

    private final class HeapTransfer extends CompletableFuture<Integer> implements Advanceable {
        @Override
        public void advance(Future<?> awaited, long limitNs) {
            onAdvance.run();
        }
    }

    private final class HeapEndpoint implements StorageEndpoint {
        private final byte[] memory;

        HeapEndpoint(byte[] memory) {
            this.memory = memory;
        }

        @Override
        public CompletableFuture<Integer> read(CrailBuffer buffer, BlockInfo block, long offset) {
            return transfer(buffer, block, offset, false);
        }

        @Override
        public CompletableFuture<Integer> write(CrailBuffer buffer, BlockInfo block, long offset) {
            return transfer(buffer, block, offset, true);
        }

        private CompletableFuture<Integer> transfer(CrailBuffer buffer, BlockInfo block, long offset, boolean write) {
            ByteBuffer bytes = buffer.getByteBuffer().duplicate();
            int length = bytes.remaining();
            buffer.position(buffer.limit());
            CompletableFuture<Integer> done = new HeapTransfer();
            inFlight.incrementAndGet();
            (write ? writeGate : readGate)
                    .thenRunAsync(
                            () -> {
                                inFlight.decrementAndGet();
                                CrailException failure = failure(new Access(block, write, offset, length));
                                if (failure != null) {
                                    late = () -> arrive(bytes, block, offset, write);
                                    done.completeExceptionally(failure);
                                } else {
                                    copy(bytes, (int) (block.getAddr() + offset), write);
                                    done.complete(length);
                                }
                            },
                            worker);
            return done;
        }

        @Override
        public boolean isMapped(BlockInfo block) {
            return mapped.test(block);
        }

        @Override
        public boolean copy(boolean isWrite, ByteBuffer bytes, BlockInfo block, long offset) throws CrailException {
            if (!mapped.test(block)) {
                return false;
            }
            Access access = new Access(block, isWrite, offset, bytes.remaining());
            CrailException failure = failure(access);
            if (failure != null) {
                throw failure;
            }
            copy(bytes.duplicate(), (int) (block.getAddr() + offset), isWrite);
            copies.add(access);
            onCopied.run();
            return true;
        }

        private void arrive(ByteBuffer bytes, BlockInfo block, long offset, boolean write) {
            if (failure(new Access(block, write, offset, bytes.remaining())) == null) {
                copy(bytes, (int) (block.getAddr() + offset), write);
            }
        }

        private void copy(ByteBuffer bytes, int position, boolean write) {
            if (write) {
                bytes.get(memory, position, bytes.remaining());
            } else {
                bytes.put(memory, position, bytes.remaining());
            }
        }

        private CrailException failure(Access access) {
            Failing wanted = failing.get();
            if (wanted != null
                    && wanted.when().test(access)
                    && (!wanted.isOnce() || failing.compareAndSet(wanted, null))) {
                return wanted.failure();
            }
            BlockInfo block = access.block();
            long seen = epochs.merge(
                    block.getAddr() + ((long) block.getDnInfo().getPort() << 40), block.epoch(), Math::max);
            return block.epoch() < seen ? new StaleBlockException(block + " has epoch " + seen) : null;
        }

        @Override
        public boolean isLocal() {
            return false;
        }

        @Override
        public void close() {}
    }
}

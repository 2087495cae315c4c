/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.device.TransferLimits;

/** A client of a namespace in memory. */
final class ClientFixture implements AutoCloseable {
    static final int SECTOR = 512;
    static final long SETTLE_MS = 20;
    static final DataNodeInfo DATANODE =
            new DataNodeInfo(0, 0, 0, "192.0.2.1", 4420, "ns=1 begin=0 nqn=nqn.2017-06.io.crail:cnode");

    final byte[] medium;
    final NvmfCounters counters = new NvmfCounters();
    final List<MemoryDevice> devices = new CopyOnWriteArrayList<>();
    final StorageEndpoint endpoint;
    private final NvmfStorageClient client;
    volatile boolean unreachable;

    ClientFixture(byte[] medium, int stagedSectors, TransferLimits limits, long keepAliveMs) throws CrailException {
        this(medium, stagedSectors, limits, keepAliveMs, SETTLE_MS);
    }

    ClientFixture(byte[] medium, int stagedSectors, TransferLimits limits, long keepAliveMs, long settleMs)
            throws CrailException {
        this.medium = medium;
        NvmfClientSettings settings = new NvmfClientSettings(8, stagedSectors, 10_000, keepAliveMs, settleMs, limits);
        this.client = new NvmfStorageClient(settings, this::open, counters);
        this.endpoint = client.createEndpoint(DATANODE);
    }

    ClientFixture(int bytes) throws CrailException {
        this(new byte[bytes], 16, new TransferLimits(60_000, 600_000), 60_000);
    }

    private SectorDevice open(Target target) throws IOException {
        if (unreachable) {
            throw new IOException("nobody listens there");
        }
        MemoryDevice device = new MemoryDevice(medium, SECTOR, devices.size());
        devices.add(device);
        return device;
    }

    MemoryDevice device() {
        return devices.get(devices.size() - 1);
    }

    /**
     * Waits until transfers are posted by their callers: the thread that connects posts those that have waited for it.
     */
    void awaitConnection() throws Exception {
        Thread caller = Thread.currentThread();
        AtomicBoolean posted = new AtomicBoolean();
        do {
            endpoint.write(buffer(SECTOR), block(0, medium.length), 0).get();
            device().beforeKey = () -> {
                if (Thread.currentThread() == caller) {
                    posted.set(true);
                }
            };
        } while (!posted.get());
        device().beforeKey = () -> {};
    }

    /** Waits until that many commands have been posted. */
    void awaitCommands(int count) {
        while (counters.commands() < count) {
            Thread.onSpinWait();
        }
    }

    static BlockInfo block(long address, int length) {
        return new BlockInfo(DATANODE, address, address, length, 0, 1);
    }

    static CrailBuffer buffer(int capacity) {
        try {
            return OffHeapBuffer.wrap(ByteBuffer.allocateDirect(capacity));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static CrailBuffer buffer(byte[] content) {
        CrailBuffer buffer = buffer(content.length);
        buffer.put(content);
        return buffer.clear();
    }

    static Throwable failure(CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}

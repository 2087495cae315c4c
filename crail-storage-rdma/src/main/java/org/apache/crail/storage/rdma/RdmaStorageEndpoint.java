/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.storage.StorageEndpoint;

/**
 * The way to one datanode. What fits the send queue is posted by the calling thread; futures complete on the thread that
 * takes completions, where nothing may block. All methods are thread safe.
 */
final class RdmaStorageEndpoint implements StorageEndpoint {
    private final EndpointLink link;
    private final long timeoutNs;
    private final Consumer<RdmaStorageEndpoint> onClose;
    private volatile boolean closed;

    RdmaStorageEndpoint(EndpointLink link, ClientSettings settings, Consumer<RdmaStorageEndpoint> onClose) {
        this.link = link;
        this.timeoutNs = TimeUnit.MILLISECONDS.toNanos(settings.limitMs());
        this.onClose = onClose;
    }

    @Override
    public CompletableFuture<Integer> read(CrailBuffer buffer, BlockInfo block, long offset) {
        return transfer(false, buffer, block, offset);
    }

    @Override
    public CompletableFuture<Integer> write(CrailBuffer buffer, BlockInfo block, long offset) {
        return transfer(true, buffer, block, offset);
    }

    private CompletableFuture<Integer> transfer(boolean isWrite, CrailBuffer buffer, BlockInfo block, long offset) {
        int length = buffer.remaining();
        if (offset < 0 || offset > block.getLength() - (long) length) {
            return CompletableFuture.failedFuture(new BlockBoundsException((isWrite ? "write" : "read") + " of "
                    + length + " bytes at offset " + offset + " of " + block
                    + ": the range is not inside the block; keep transfers inside one block"));
        }
        if (closed) {
            return CompletableFuture.failedFuture(link.closedError());
        }
        RdmaTransfer transfer = new RdmaTransfer(
                isWrite, block, offset, buffer, buffer.position(), length, System.nanoTime() + timeoutNs);
        buffer.position(buffer.limit());
        if (length == 0) {
            transfer.succeed();
        } else {
            link.submit(transfer);
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
        onClose.accept(this);
        link.close();
    }
}

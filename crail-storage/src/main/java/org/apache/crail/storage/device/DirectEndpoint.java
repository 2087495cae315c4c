/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.device;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.error.CrailException;
import org.apache.crail.local.block.MappedBlocks;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.storage.StorageEndpoint;

/**
 * The way to one datanode. What fits the device's queue is posted by the calling thread; futures complete before they
 * are returned, or in the calling thread while it waits for a transfer, or on the thread that takes completions, where
 * nothing may block. Where the datanode's memory is on this host, the calling thread copies the bytes itself instead.
 * All methods are thread safe.
 */
final class DirectEndpoint<T extends DirectTransfer> implements StorageEndpoint {
    private final DeviceLink<T> link;
    private final MappedBlocks mapped;
    private final TransferLimits limits;
    private final Function<DirectTransfer.Range, T> transfers;
    private final Consumer<DirectEndpoint<T>> onClose;
    private volatile boolean closed;

    DirectEndpoint(
            DeviceLink<T> link,
            TransferLimits limits,
            Function<DirectTransfer.Range, T> transfers,
            Consumer<DirectEndpoint<T>> onClose) {
        this.link = link;
        this.mapped = link.mapped();
        this.limits = limits;
        this.transfers = transfers;
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
        DirectTransfer.Range range = new DirectTransfer.Range(
                isWrite, block, offset, buffer, buffer.position(), length, limits.deadlineNs());
        if (offset < 0 || offset > block.getLength() - (long) length) {
            return CompletableFuture.failedFuture(new BlockBoundsException(
                    range + ": the range is not inside the block; keep transfers inside one block"));
        }
        if (closed) {
            return CompletableFuture.failedFuture(link.closedError());
        }
        T transfer = transfers.apply(range);
        buffer.position(buffer.limit());
        if (length == 0 || isCopied(transfer)) {
            transfer.succeed();
        } else if (!transfer.isDone()) {
            link.submit(transfer);
        }
        return transfer;
    }

    /** Copies the bytes here if the datanode's memory is on this host; a failure is put into the transfer. */
    private boolean isCopied(T transfer) {
        if (!link.mayCopy(transfer)) {
            return false;
        }
        DirectTransfer.Range range = transfer.range();
        ByteBuffer bytes = range.buffer().getByteBuffer().slice(range.start(), range.length());
        try {
            return mapped.copy(range.isWrite(), bytes, range.block(), range.offset());
        } catch (CrailException e) {
            transfer.fail(e);
            return false;
        }
    }

    @Override
    public boolean isMapped(BlockInfo block) {
        return link.mayCopy() && mapped.isMapped(block);
    }

    @Override
    public boolean copy(boolean isWrite, ByteBuffer bytes, BlockInfo block, long offset) throws CrailException {
        return !closed && link.mayCopyAt(System.nanoTime()) && mapped.copy(isWrite, bytes, block, offset);
    }

    @Override
    public boolean isLocal() {
        return link.mayCopy() && mapped.isInUse();
    }

    @Override
    public void close() {
        closed = true;
        onClose.accept(this);
        link.close();
    }
}

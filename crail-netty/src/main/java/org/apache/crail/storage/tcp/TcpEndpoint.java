/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.local.block.MappedBlocks;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.SharedEventLoop;
import org.apache.crail.storage.StorageEndpoint;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * The way to one datanode. Transfers go through a queue to the thread that runs the connection's loop, which sends all
 * of them at once; their futures complete there. Where the datanode's memory is on this host, the calling thread copies
 * the bytes itself instead, and the future is complete when it gets it. All methods are thread safe.
 */
final class TcpEndpoint implements StorageEndpoint {
    private static final int QUEUE_CHUNK = 128;

    /**
     * What is longer keeps the loop's thread busy while its caller does something else, and a change of threads hardly
     * shows.
     */
    private static final int LONGEST_AWAITED_BYTES = 256 << 10;

    private final EventLoop loop;
    private final SharedEventLoop sharedLoop;
    private final TcpLink link;
    private final MappedBlocks mapped;
    private final long timeoutNs;
    private final DataNodeInfo datanode;
    private final Consumer<TcpEndpoint> onClose;
    private final Queue<Transfer> queue = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    private final AtomicBoolean drainScheduled = new AtomicBoolean();
    private final Runnable drain = this::drain;
    private volatile boolean closed;

    TcpEndpoint(DataNodeInfo datanode, TcpClientSettings settings, EventLoops loops, Consumer<TcpEndpoint> onClose) {
        this.datanode = datanode;
        this.loop = loops.next();
        this.sharedLoop = SharedEventLoop.of(loop);
        this.link = new TcpLink(datanode, settings, loops, loop);
        this.mapped = link.mapped();
        this.timeoutNs = settings.dataTimeoutMs() * 1_000_000L;
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
            return CompletableFuture.failedFuture(closedError());
        }
        ByteBuffer bytes = buffer.getByteBuffer().slice(buffer.position(), length);
        buffer.position(buffer.limit());
        Transfer transfer =
                new Transfer(sharedLoop, isWrite, block, (int) offset, bytes, System.nanoTime() + timeoutNs);
        if (length == 0 || isCopied(transfer)) {
            transfer.succeed();
        } else if (!transfer.isDone()) {
            submit(transfer);
        }
        return transfer;
    }

    /** Copies the bytes here if the datanode's memory is on this host; a failure is put into the transfer. */
    private boolean isCopied(Transfer transfer) {
        try {
            return mapped.copy(transfer.isWrite, transfer.bytes, transfer.block, transfer.offset);
        } catch (CrailException e) {
            transfer.fail(e);
            return false;
        }
    }

    @Override
    public boolean isMapped(BlockInfo block) {
        return mapped.isMapped(block);
    }

    @Override
    public boolean copy(boolean isWrite, ByteBuffer bytes, BlockInfo block, long offset) throws CrailException {
        return !closed && mapped.copy(isWrite, bytes, block, offset);
    }

    private void submit(Transfer transfer) {
        queue.offer(transfer);
        if (sharedLoop != null) {
            sharedLoop.onRequest(transfer.length <= LONGEST_AWAITED_BYTES);
        }
        if (!drainScheduled.get() && drainScheduled.compareAndSet(false, true)) {
            if (sharedLoop == null || !sharedLoop.runHere(drain)) {
                executeDrain();
            }
        }
    }

    private void executeDrain() {
        try {
            loop.execute(drain);
        } catch (RejectedExecutionException e) {
            drainScheduled.set(false); // first, so that what is queued from now on is drained by whoever queued it
            synchronized (queue) { // the thread that owns the queue has ended
                failQueued();
                link.close(closedError());
            }
        }
    }

    private void drain() {
        drainScheduled.set(false);
        if (closed) {
            link.close(closedError());
            failQueued();
            return;
        }
        for (Transfer transfer = queue.poll(); transfer != null; transfer = queue.poll()) {
            link.accept(transfer);
        }
        link.flush();
    }

    private void failQueued() {
        for (Transfer transfer = queue.poll(); transfer != null; transfer = queue.poll()) {
            transfer.fail(closedError());
        }
    }

    private ClosedException closedError() {
        return new ClosedException("the endpoint of datanode " + datanode.address() + " has been closed");
    }

    @Override
    public boolean isLocal() {
        return mapped.isInUse();
    }

    @Override
    public void close() {
        closed = true;
        onClose.accept(this);
        executeDrain();
    }
}

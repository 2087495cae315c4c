/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.core.block.BlockMapper;
import org.apache.crail.core.block.BlockTransfer;
import org.apache.crail.core.block.CoreDataOperation;
import org.apache.crail.core.block.MappedCopy;
import org.apache.crail.core.block.StoreParts;
import org.apache.crail.core.block.WriteToken;
import org.apache.crail.core.call.Callbacks;
import org.apache.crail.core.call.ClusterSettings;
import org.apache.crail.core.call.InFlight;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.ClosedException;
import org.apache.crail.internal.NearStream;
import org.apache.crail.rpc.client.PendingCall;

/**
 * What streams in both directions share: a position, operations in flight, and the way a buffer is cut at block
 * boundaries. One thread at a time may call; operations end on any thread.
 */
abstract class CoreStream implements NearStream {
    static final CompletableFuture<Void> READY = CompletableFuture.completedFuture(null);

    private final CoreFile file;
    private final StoreRuntime runtime;
    private final StoreParts parts;
    private final BlockMapper mapper;
    private final MappedCopy mapped;
    private final InFlight inFlight = new InFlight();
    private long position;
    private CoreDataOperation latest;
    private final AtomicReference<CompletableFuture<Void>> closing = new AtomicReference<>();
    private volatile boolean closed;

    CoreStream(CoreFile file, WriteToken token, long position) {
        this.file = file;
        this.runtime = file.getFileSystem().runtime();
        this.parts = runtime.parts();
        this.mapper = new BlockMapper(parts, file.getFd(), token, file.blocks());
        this.mapped = new MappedCopy(parts, mapper, file, token != null, token != null ? end -> true : file::reaches);
        this.position = position;
    }

    /** The file. */
    public CoreFile getFile() {
        return file;
    }

    /** Offset in the file of the next byte. */
    public long position() {
        return position;
    }

    final void position(long newPosition) {
        position = newPosition;
    }

    final StoreRuntime runtime() {
        return runtime;
    }

    final StoreParts parts() {
        return parts;
    }

    final ClusterSettings settings() {
        return parts.settings();
    }

    final BlockMapper mapper() {
        return mapper;
    }

    final InFlight inFlight() {
        return inFlight;
    }

    /** Whether {@code close} has been called. */
    public final boolean isClosed() {
        return closed;
    }

    /**
     * Waits for the operations in flight, whose buffers are the caller's again, and closes. An interrupt does not end
     * that, and only shows afterwards in the thread's flag. All who close, at the same time or later, wait for the end
     * and learn how it was.
     */
    public final void close() throws IOException {
        closed = true;
        CompletableFuture<Void> own = new CompletableFuture<>();
        if (closing.compareAndSet(null, own)) {
            closeOnce(own);
        }
        Waiting.settle(
                "closing " + file.getPath(), closing.get(), 2 * parts.calls().waitLimitMs());
    }

    private void closeOnce(CompletableFuture<Void> result) {
        Throwable failure = null;
        AtomicReference<PendingCall<?>> asked = new AtomicReference<>();
        try {
            awaitOperations();
            Future<Void> finished = finish(true, asked::set);
            parts.calls().settle("closing " + file.getPath(), finished, asked.get());
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
        ended(result, failure);
    }

    private void ended(CompletableFuture<Void> result, Throwable failure) {
        try {
            finished();
        } finally {
            Callbacks.enter();
            try {
                if (failure == null) {
                    result.complete(null);
                } else {
                    result.completeExceptionally(failure);
                }
            } finally {
                Callbacks.leave();
            }
        }
    }

    /** As {@link #close}, without waiting. */
    public final CompletableFuture<Void> closeAsync() {
        return closeAsync(asked -> {});
    }

    /**
     * As {@link #closeAsync()}.
     *
     * @param onAsked is told of the call to the namenode, if there is one
     */
    final CompletableFuture<Void> closeAsync(Consumer<PendingCall<?>> onAsked) {
        closed = true;
        CompletableFuture<Void> own = new CompletableFuture<>();
        if (closing.compareAndSet(null, own)) {
            CompletableFuture<Void> ignored = inFlight.idle()
                    .thenCompose(idle -> finish(false, onAsked))
                    .whenComplete((done, failure) ->
                            ended(own, failure == null ? null : Waiting.typed("closing " + file.getPath(), failure)));
        }
        return closing.get().copy();
    }

    /**
     * Does what is to be done when no operation is in flight, without waiting; what the future gives is not the
     * caller's.
     *
     * @param isAwaited whether this thread is going to wait for it
     * @param onAsked is told of the call to the namenode, if there is one
     */
    abstract CompletableFuture<Void> finish(boolean isAwaited, Consumer<PendingCall<?>> onAsked);

    /** Called once, when the close has ended in whatever way. */
    abstract void finished();

    final void checkOpen() throws ClosedException {
        if (closed) {
            throw new ClosedException("stream already closed: " + file.getPath() + "; open another one");
        }
    }

    /** How many blocks a range of bytes touches. */
    final int blocks(long start, int length) {
        return (int) (settings().blockIndex(start + length - 1) - settings().blockIndex(start)) + 1;
    }

    /**
     * Begins the transfers of an operation, one per block, and advances the position. Afterwards the buffer's position
     * is at its limit.
     *
     * @param blocksWanted how many blocks to ask for if the first is not known
     * @param ready completes when transfers of the first block of the file may begin
     */
    final void transfer(
            CrailBuffer buffer, CoreDataOperation operation, int blocksWanted, CompletableFuture<Void> ready) {
        latest = operation;
        int blockSize = settings().blockSizeBytes();
        int from = buffer.position();
        int end = buffer.limit();
        int wanted = blocksWanted;
        while (from < end) {
            int length = (int) Math.min(end - from, blockSize - position % blockSize);
            buffer.limit(from + length).position(from);
            CrailBuffer part = buffer.slice();
            BlockTransfer transfer = new BlockTransfer(parts, mapper, operation, part, position);
            int wantedNow = Math.max(1, wanted);
            if (position >= blockSize || ready == READY) {
                transfer.begin(wantedNow);
            } else {
                ready.whenComplete((done, failure) -> transfer.beginUnless(failure, wantedNow));
            }
            from += length;
            position += length;
            wanted--;
        }
        buffer.limit(end).position(end);
    }

    @Override
    public final boolean isNear() {
        return mapped.isNear(position);
    }

    /**
     * Copies bytes between the caller's memory and blocks, as {@link NearStream#copy} says, and advances the position.
     * The caller counts it as in flight until what has been copied is known to whoever closes the stream.
     *
     * @param blocksWanted how many blocks, from the next one on, to ask for if they are not known
     */
    final int copyBlocks(ByteBuffer bytes, int blocksWanted) {
        long begin = position;
        long wantedEnd = settings().blockIndex(begin) + blocksWanted;
        boolean goesOn = true;
        while (goesOn && bytes.hasRemaining()) {
            int wantedNow = (int) Math.max(1, wantedEnd - settings().blockIndex(position));
            int copied = mapped.copy(bytes, position, wantedNow);
            position += copied;
            goesOn = copied > 0;
        }
        return (int) (position - begin);
    }

    /** Waits until no operation is in flight; operations have limits of their own. */
    private void awaitOperations() throws IOException {
        Future<?> idle = inFlight.idle();
        CoreDataOperation last = latest;
        if (last != null) {
            last.advance(idle, Long.MAX_VALUE);
            latest = null;
        }
        Waiting.settle(
                "waiting for the operations on " + file.getPath(),
                idle,
                parts.calls().waitLimitMs());
    }

    /** Of which file, and where in it. */
    @Override
    public final String toString() {
        return getClass().getSimpleName() + " of " + file.getPath() + " at " + position;
    }
}

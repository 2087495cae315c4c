/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.ClosedException;

/**
 * What streams in both directions share: a position, operations in flight, and the way a buffer is cut at block
 * boundaries. One thread at a time may call; operations end on any thread.
 */
abstract class CoreStream {
    static final CompletableFuture<Void> READY = CompletableFuture.completedFuture(null);

    private final CoreFile file;
    private final StoreRuntime runtime;
    private final BlockMapper mapper;
    private final InFlight inFlight = new InFlight();
    private long position;
    private CoreDataOperation latest;
    private volatile boolean closed;

    CoreStream(CoreFile file, WriteToken token, long position) {
        this.file = file;
        this.runtime = file.getFileSystem().runtime();
        this.mapper = new BlockMapper(runtime, file.getFd(), token);
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

    /** Closes for new operations; false if that has been done. */
    final boolean markClosed() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    final void checkOpen() throws ClosedException {
        if (closed) {
            throw new ClosedException("stream already closed: " + file.getPath() + "; open another one");
        }
    }

    /** How many blocks a range of bytes touches. */
    final int blocks(long start, int length) {
        ClusterSettings settings = runtime.settings();
        return (int) (settings.blockIndex(start + length - 1) - settings.blockIndex(start)) + 1;
    }

    /**
     * Begins the transfers of an operation, one per block, and advances the position. Afterwards the buffer's position is
     * at its limit.
     *
     * @param blocksWanted how many blocks to ask for if the first is not known
     * @param ready completes when transfers of the first block of the file may begin
     */
    final void transfer(
            CrailBuffer buffer, CoreDataOperation operation, int blocksWanted, CompletableFuture<Void> ready) {
        latest = operation;
        int blockSize = runtime.settings().blockSizeBytes();
        int from = buffer.position();
        int end = buffer.limit();
        int wanted = blocksWanted;
        while (from < end) {
            int length = (int) Math.min(end - from, blockSize - position % blockSize);
            buffer.limit(from + length).position(from);
            CrailBuffer part = buffer.slice();
            BlockTransfer transfer = new BlockTransfer(runtime, mapper, operation, part, position);
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

    /** Waits until no operation is in flight; operations have limits of their own. */
    final void awaitOperations() throws IOException {
        CoreDataOperation last = latest;
        if (last != null) {
            last.advance(Long.MAX_VALUE);
            latest = null;
        }
        Waiting.await("waiting for the operations on " + file.getPath(), inFlight.idle(), runtime.waitLimitMs());
    }
}

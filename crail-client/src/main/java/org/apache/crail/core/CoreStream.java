/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.NearStream;
import org.apache.crail.storage.StorageEndpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What streams in both directions share: a position, operations in flight, and the way a buffer is cut at block
 * boundaries. One thread at a time may call; operations end on any thread.
 */
abstract class CoreStream implements NearStream {
    static final CompletableFuture<Void> READY = CompletableFuture.completedFuture(null);

    private static final Logger LOG = LoggerFactory.getLogger(CoreStream.class);

    /** Of a copy in one go, for which garbage collection has to wait where an array is involved. */
    private static final int MOST_COPY_BYTES = 512 * 1024;

    private final CoreFile file;
    private final StoreRuntime runtime;
    private final BlockMapper mapper;
    private final InFlight inFlight = new InFlight();
    private long position;
    private CoreDataOperation latest;
    private boolean near;
    private final FutureTask<Void> closing = new FutureTask<>(this::closeOnce);
    private volatile boolean closed;

    CoreStream(CoreFile file, WriteToken token, long position) {
        this.file = file;
        this.runtime = file.getFileSystem().runtime();
        this.mapper = new BlockMapper(runtime, file.getFd(), token, file.blocks());
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

    /**
     * Waits for the operations in flight, whose buffers are the caller's again, and closes. An interrupt does not end
     * that, and only shows afterwards in the thread's flag. All who close, at the same time or later, wait for the end
     * and learn how it was.
     */
    public final void close() throws IOException {
        closed = true;
        closing.run(); // once
        Waiting.settle("closing " + file.getPath(), closing, 2 * runtime.waitLimitMs());
    }

    private Void closeOnce() throws IOException {
        try {
            awaitOperations();
            finish();
        } finally {
            finished();
        }
        return null;
    }

    /** Does what is to be done when no operation is in flight. */
    abstract void finish() throws IOException;

    /** Called once, when the close has ended in whatever way. */
    abstract void finished();

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
     * Begins the transfers of an operation, one per block, and advances the position. Afterwards the buffer's position
     * is at its limit.
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

    @Override
    public final boolean isNear() {
        LeasedBlock next = mapper.cached(runtime.settings().blockIndex(position));
        if (next != null) {
            near = isMapped(next);
        }
        return near;
    }

    private boolean isMapped(LeasedBlock location) {
        try {
            return runtime.endpoints().endpoint(location).isMapped(location.block);
        } catch (CrailException e) {
            LOG.trace("{}: a transfer will tell why this block cannot be reached", file, e);
            return false;
        }
    }

    /**
     * Copies bytes between the caller's memory and blocks, as {@link NearStream#copy} says, and advances the position.
     * The caller counts it as in flight until what has been copied is known to whoever closes the stream.
     *
     * @param blocksWanted how many blocks, from the next one on, to ask for if they are not known
     */
    final int copyBlocks(boolean isWrite, ByteBuffer bytes, int blocksWanted) {
        ClusterSettings settings = runtime.settings();
        long begin = position;
        long wantedEnd = settings.blockIndex(begin) + blocksWanted;
        boolean copied = true;
        while (copied && bytes.hasRemaining()) {
            int wantedNow = (int) Math.max(1, wantedEnd - settings.blockIndex(position));
            copied = copyPart(isWrite, bytes, wantedNow);
        }
        return (int) (position - begin);
    }

    private boolean copyPart(boolean isWrite, ByteBuffer bytes, int blocksWanted) {
        int blockSize = runtime.settings().blockSizeBytes();
        int end = bytes.limit();
        int length = (int) Math.min(Math.min(bytes.remaining(), MOST_COPY_BYTES), blockSize - position % blockSize);
        boolean copied;
        bytes.limit(bytes.position() + length);
        try {
            copied = isNear() && tryCopy(isWrite, bytes, blocksWanted);
        } finally {
            bytes.limit(end);
        }
        if (copied) {
            bytes.position(bytes.position() + length);
            position += length;
        }
        return copied;
    }

    /**
     * Copies bytes that do not leave a block. What fails is left to a transfer, which meets it again and knows what to
     * do then.
     */
    private boolean tryCopy(boolean isWrite, ByteBuffer bytes, int blocksWanted) {
        CoreIOStatistics statistics = isWrite ? runtime.outputStatistics() : runtime.inputStatistics();
        LeasedBlock location = locate(blocksWanted, statistics);
        long offset = position % runtime.settings().blockSizeBytes();
        if (location == null || !location.covers(offset + bytes.remaining())) {
            return false;
        }
        try {
            StorageEndpoint endpoint = runtime.endpoints().endpoint(location);
            boolean copied = endpoint.copy(isWrite, bytes, location.block, offset + location.block.start());
            if (copied) {
                int storageClass = location.block.getDnInfo().getStorageClass();
                runtime.transfers().count(isWrite, false, storageClass, bytes.remaining());
                statistics.countTransfer(true, false);
            }
            boolean isRight = mapper.isValid(location) && (isWrite || file.reaches(position + bytes.remaining()));
            return copied && isRight;
        } catch (CrailException e) {
            LOG.trace("{}: bytes at {} have to be transferred", file, position, e);
            return false;
        }
    }

    private LeasedBlock locate(int blocksWanted, CoreIOStatistics statistics) {
        long index = runtime.settings().blockIndex(position);
        LeasedBlock known = mapper.cached(index);
        statistics.countLocation(known != null);
        if (known != null) {
            return known;
        }
        try {
            return mapper.await(index, blocksWanted);
        } catch (IOException e) {
            near = false; // until a block is known again: a transfer asks next, and tells why there is none
            LOG.trace("{}: block {} has not been found", file, index, e);
            return null;
        }
    }

    /** Waits until no operation is in flight; operations have limits of their own. */
    private void awaitOperations() throws IOException {
        Future<?> idle = inFlight.idle();
        CoreDataOperation last = latest;
        if (last != null) {
            last.advance(idle, Long.MAX_VALUE);
            latest = null;
        }
        Waiting.settle("waiting for the operations on " + file.getPath(), idle, runtime.waitLimitMs());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.apache.crail.error.StorageFailureException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Read-ahead: keeps reads of slices in flight and hands out the slices in order as they arrive. Not thread safe.
 */
final class SliceReader {
    private static final Logger LOG = LoggerFactory.getLogger(SliceReader.class);

    private final ReadSource source;
    private final SlicePool pool;
    private final CrailBufferedStatistics statistics;
    private final String what;
    private final Deque<ReadOperation> pending = new ArrayDeque<>();
    private final Deque<ReadOperation> abandoned = new ArrayDeque<>();
    private CrailBuffer current;

    /** Offset of the byte behind those of {@link #current}. */
    private long end;

    SliceReader(ReadSource source, SlicePool pool, CrailBufferedStatistics statistics, String path) {
        this.source = source;
        this.pool = pool;
        this.statistics = statistics;
        this.what = "reading " + path;
    }

    /** A read of so many bytes may be a copy. */
    int sliceSize() {
        return pool.sliceSize();
    }

    /** Offset of the next byte. */
    long position() {
        return end - remaining();
    }

    /** The slice to take bytes from, or null if it has fewer than {@code bytes}. */
    CrailBuffer holding(int bytes) {
        return remaining() >= bytes ? current : null;
    }

    private int remaining() {
        return current == null ? 0 : current.remaining();
    }

    /**
     * The slice to take bytes from; waits until it has at least one.
     *
     * @param wanted bytes that the caller waits for
     * @return null at the end
     */
    CrailBuffer next(int wanted) throws IOException {
        if (remaining() > 0) {
            return current;
        }
        releaseCurrent();
        if (pending.isEmpty() && !start(wanted, true)) {
            return null;
        }
        readAheadUnlessNear(wanted, true);
        take(pending.element());
        readAheadUnlessNear(0, false);
        return current;
    }

    /** Nobody waits for what is near, and what is read ahead of it would be copied once more than it has to be. */
    private void readAheadUnlessNear(int wanted, boolean mayBlock) {
        if (!source.isNear()) {
            boolean ignored = readAhead(wanted, mayBlock);
        }
    }

    /**
     * Copies bytes past the slices, if they would fill one and are near, and none is in a slice already.
     *
     * @param target what to fill; its position advances
     * @return how many bytes were copied; 0 if {@link #next} has to bring them
     */
    int copy(ByteBuffer target) throws IOException {
        boolean fillsSlice = target.remaining() >= pool.sliceSize() && !target.isReadOnly();
        if (!fillsSlice || remaining() > 0 || !pending.isEmpty() || !source.isNear()) {
            return 0;
        }
        releaseCurrent();
        int copied = Calls.io(what, () -> source.copy(target));
        if (copied > 0) {
            statistics.count(false);
            end += copied;
        }
        return copied;
    }

    private void releaseCurrent() {
        if (current != null) {
            pool.release(current);
            current = null;
        }
    }

    private void take(ReadOperation operation) throws IOException {
        statistics.count(!operation.future().isDone());
        try {
            CrailResult result = Calls.await(what, operation.future());
            if (result.getLen() != operation.length()) {
                throw new StorageFailureException(what + " failed: " + result.getLen() + " of " + operation.length()
                        + " bytes at offset " + end + " were read");
            }
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            restart(end, e);
            throw e;
        }
        pending.remove();
        current = operation.slice();
        current.clear().limit(operation.length());
        end += operation.length();
        Calls.run(what, () -> source.finished(operation));
    }

    /** After a failure: lets the next call try again. */
    private void restart(long position, IOException failure) {
        abandon();
        try {
            Calls.run(what, () -> source.retry(position, failure));
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private void abandon() {
        abandoned.addAll(pending);
        pending.clear();
    }

    /** Begins one read; false at the end, or if there is no slice or no metadata and this may not wait. */
    private boolean start(int wanted, boolean mayBlock) throws IOException {
        CrailBuffer slice = takeSlice(mayBlock);
        if (slice == null) {
            return false;
        }
        ReadOperation operation = null;
        try {
            operation = Calls.io(what, () -> source.start(slice, wanted, mayBlock));
        } finally {
            if (operation == null) {
                pool.release(slice);
            } else {
                pending.add(operation);
            }
        }
        return operation != null;
    }

    private CrailBuffer takeSlice(boolean mayBlock) throws IOException {
        abandoned.removeIf(this::releaseIfDone);
        CrailBuffer slice = pool.take();
        while (slice == null && mayBlock && !abandoned.isEmpty()) {
            Calls.settle(abandoned.element().future());
            pool.release(abandoned.remove().slice());
            slice = pool.take();
        }
        return slice;
    }

    private boolean releaseIfDone(ReadOperation operation) {
        boolean done = operation.future().isDone();
        if (done) {
            pool.release(operation.slice());
        }
        return done;
    }

    /**
     * Begins reads until as many are in flight as may be; one slice is kept back for {@link #current}. A read that
     * cannot be begun is tried again when its bytes are asked for.
     */
    private boolean readAhead(int wanted, boolean mayBlock) {
        boolean started = false;
        try {
            while (source.isSequential() && pending.size() < pool.limit() - 1 && start(wanted, mayBlock)) {
                started = true;
            }
        } catch (IOException e) {
            LOG.trace("{}: cannot read ahead", what, e);
        }
        return started;
    }

    /**
     * Waits briefly for the first read that has not arrived, as waiting lets the transport work, and polling does not.
     */
    void awaitArrival() {
        for (ReadOperation operation : pending) {
            if (!operation.future().isDone()) {
                Calls.awaitBriefly(operation.future());
                return;
            }
        }
    }

    /**
     * The bytes that can be read without waiting. Begins to read if there is nothing.
     *
     * @param known what this gave before at the same position, or -1: if everything in flight has arrived and it is no
     *     more than that, the caller waits for more, so that more is read ahead; where there is no room for more, all
     *     that is left counts as well
     */
    long readable(long known) {
        long bytes = remaining();
        for (ReadOperation operation : pending) {
            if (!operation.future().isDone()) {
                return bytes;
            }
            bytes += operation.length();
        }
        if (bytes > 0 && bytes != known) {
            return bytes;
        }
        try {
            boolean started = bytes > 0 ? readFurther() : start(1, false);
            return started || !abandoned.isEmpty() ? bytes : bytes + source.rest();
        } catch (IOException e) {
            LOG.trace("{}: a read cannot be begun; the caller learns why by reading", what, e);
            return Math.max(1, source.rest());
        }
    }

    private boolean readFurther() throws IOException {
        Calls.run(what, source::expectSequential);
        return readAhead(1, false);
    }

    /**
     * Moves to {@code position}: within what has been or is being read if it lies there, else anywhere in the source.
     */
    void seek(long position) throws IOException {
        long begin = end - (current == null ? 0 : current.limit());
        long pendingBytes = pending.stream().mapToLong(ReadOperation::length).sum();
        if (position < begin || position > end + pendingBytes) {
            Calls.run(what, () -> source.reposition(position));
            abandon();
            releaseCurrent();
            end = position;
            return;
        }
        while (position > end) {
            releaseCurrent();
            take(pending.element());
        }
        if (current != null) {
            current.position(current.limit() - (int) (end - position));
        }
    }

    /** Waits until nothing is in flight, then gives everything back. */
    void close() throws IOException {
        abandon();
        for (Iterator<ReadOperation> all = abandoned.iterator(); all.hasNext(); all.remove()) {
            Calls.settle(all.next().future());
        }
        current = null;
        Calls.all("closing the stream: " + what, source::close, pool::close);
    }
}

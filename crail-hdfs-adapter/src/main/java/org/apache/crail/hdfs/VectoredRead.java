/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailResult;
import org.apache.crail.internal.Futures;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads ranges of a file, all at once: those with direct buffers into them, the others over a bounded number of buffers
 * of the store. Ranges may overlap. Used by one thread; completes on others.
 */
final class VectoredRead {
    private static final Logger LOG = LoggerFactory.getLogger(VectoredRead.class);

    /** How many buffers of the store one call copies from at a time. */
    static final int MAX_BUFFERS = 16;

    private final DirectReads reads;
    private final Path path;
    private final ReadCounts counts;

    /** What has to be copied and has no buffer yet; guarded by itself. */
    private final Queue<Part> waiting = new ArrayDeque<>();

    VectoredRead(DirectReads reads, Path path, ReadCounts counts) {
        this.reads = reads;
        this.path = path;
        this.counts = counts;
    }

    /** Checks all ranges before any is read. */
    static void check(List<? extends FileRange> ranges, long fileLength, Path path) throws EOFException {
        for (FileRange range : Objects.requireNonNull(ranges, "ranges")) {
            Objects.requireNonNull(range, "range");
            if (range.getLength() < 0) {
                throw new IllegalArgumentException(path + ": the length of " + range + " is negative");
            }
            if (range.getOffset() < 0 || range.getOffset() > fileLength - range.getLength()) {
                throw new EOFException(
                        path + ": " + range + " is not inside the file, which has " + fileLength + " bytes");
            }
        }
    }

    /** Begins; the results are in the ranges. */
    void begin(List<? extends FileRange> ranges, int copyBytes, IntFunction<ByteBuffer> allocate) throws IOException {
        List<Part> direct = new ArrayList<>();
        for (FileRange range : ranges) {
            ByteBuffer target = allocate.apply(range.getLength());
            CompletableFuture<ByteBuffer> result = new CompletableFuture<>();
            range.setData(result);
            target.limit(target.position() + range.getLength());
            RangeRead read = new RangeRead(target, result, counts);
            if (range.getLength() == 0) {
                result.complete(target);
            } else if (target.isDirect()) {
                direct.add(read.part(range.getOffset(), 0, range.getLength()));
            } else {
                cut(read, range, copyBytes);
            }
        }
        direct.forEach(this::readDirect);
        beginCopies();
    }

    /**
     * Takes as many buffers as there are parts and it can get. With at least one of them all parts are read in the end.
     */
    private void beginCopies() {
        int chains = 0;
        try {
            while (chains < MAX_BUFFERS && hasWaiting()) {
                CrailBuffer buffer = reads.buffer();
                chains++;
                copy(next(), buffer);
            }
        } catch (IOException | RuntimeException | Error e) {
            if (chains == 0) { // nobody else reads what waits
                failWaiting(e);
            }
            LOG.debug("{}: {} buffers copy what is read", path, chains, e);
        }
    }

    private void failWaiting(Throwable reason) {
        Throwable told = translate(reason);
        for (Part part = next(); part != null; part = next()) {
            part.ended(told);
        }
    }

    private boolean hasWaiting() {
        synchronized (waiting) {
            return !waiting.isEmpty();
        }
    }

    private void cut(RangeRead read, FileRange range, int copyBytes) {
        for (int done = 0; done < range.getLength(); done += copyBytes) {
            waiting.add(read.part(range.getOffset() + done, done, Math.min(copyBytes, range.getLength() - done)));
        }
    }

    private void readDirect(Part part) {
        try {
            CrailBuffer buffer = OffHeapBuffer.wrap(part.target());
            Futures.toCompletable(reads.begin(part.position, buffer))
                    .whenComplete((result, failure) -> part.ended(translate(failure)));
        } catch (IOException | RuntimeException | Error e) {
            part.ended(translate(e));
        }
    }

    private Part next() {
        synchronized (waiting) {
            return waiting.poll();
        }
    }

    /** Reads a part, and then those that wait, one after the other, with one buffer, which is freed in the end. */
    private void copy(Part first, CrailBuffer buffer) {
        for (Part part = first; part != null; part = next()) {
            CompletableFuture<CrailResult> reading = begin(part, buffer);
            if (!reading.isDone()) {
                Part pending = part;
                reading.whenComplete((result, failure) -> {
                    copied(pending, buffer, failure);
                    copy(next(), buffer);
                });
                return;
            }
            copied(part, buffer, reading.handle((result, failure) -> failure).join());
        }
        free(buffer);
    }

    private CompletableFuture<CrailResult> begin(Part part, CrailBuffer buffer) {
        buffer.clear().limit(part.length);
        try {
            return Futures.toCompletable(reads.begin(part.position, buffer));
        } catch (IOException | RuntimeException | Error e) { // the parts behind it are read all the same
            return CompletableFuture.failedFuture(e);
        }
    }

    private void copied(Part part, CrailBuffer buffer, Throwable failure) {
        Throwable result = translate(failure);
        if (failure == null) {
            try {
                buffer.clear().limit(part.length);
                buffer.get(part.target());
            } catch (RuntimeException | Error e) { // the caller's buffer, which may be one that cannot be written
                result = e;
            }
        }
        part.ended(result);
    }

    private void free(CrailBuffer buffer) {
        try {
            reads.free(buffer);
        } catch (IOException e) {
            LOG.warn("{}: a buffer is lost", path, e);
        }
    }

    private Throwable translate(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof IOException io ? Failures.translate(path, io) : cause;
    }

    /** A range: done when all its parts are. */
    private static final class RangeRead {
        private final ByteBuffer target;
        private final int begin;
        private final CompletableFuture<ByteBuffer> result;
        private final ReadCounts counts;
        private final AtomicInteger parts = new AtomicInteger();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();

        RangeRead(ByteBuffer target, CompletableFuture<ByteBuffer> result, ReadCounts counts) {
            this.target = target;
            this.begin = target.position();
            this.result = result;
            this.counts = counts;
        }

        Part part(long position, int offset, int length) {
            parts.incrementAndGet();
            return new Part(this, position, offset, length);
        }

        void ended(Throwable partFailure) {
            if (partFailure != null) {
                failure.compareAndSet(null, partFailure);
            }
            if (parts.decrementAndGet() > 0) {
                return;
            }
            if (failure.get() == null) {
                result.complete(target);
            } else {
                result.completeExceptionally(counts.failed(failure.get()));
            }
        }
    }

    /** What is read in one go. */
    private record Part(RangeRead range, long position, int offset, int length) {
        ByteBuffer target() {
            return range.target.slice(range.begin + offset, length);
        }

        void ended(Throwable failure) {
            range.ended(failure);
        }
    }
}

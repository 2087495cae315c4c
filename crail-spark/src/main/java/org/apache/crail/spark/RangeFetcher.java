/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.FetchFailedException;

/**
 * Fetches ranges of map outputs, the largest first, several at a time, and gives them in the order in which they come.
 * Each is wanted, then located by the index of its output, then read. What the store completes comes to the task's
 * thread through one queue of events. All methods but {@link #close} are for one thread, which is another one than
 * that of the task where Spark feeds a process. Thread safe as far as that needs.
 */
final class RangeFetcher implements AutoCloseable {
    private static final int MOST_LOOKUPS = 64;
    private static final long PAUSE_MS = 200;

    private final MapOutputs outputs;
    private final int partitions;
    private final TaskContext context;
    private final Limits limits;
    private final BufferSlices slices;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    private final Deque<MapRange> wanted = new ArrayDeque<>();
    private final Deque<Located> located = new ArrayDeque<>();
    private final Deque<FetchedRange> ready = new ArrayDeque<>();

    /** Those that are being read, ready or given: what has to be released. */
    private final Set<FetchedRange> held = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Since when ranges fail for the same reason. */
    private final Map<MapRange, Failing> failing = Collections.synchronizedMap(new IdentityHashMap<>());

    private int lookingUp;
    private int left;
    private volatile boolean isClosed;
    private long heldBytes;

    /**
     * What a fetcher may do.
     *
     * @param bytes most bytes that are held in memory; a larger range is read as a stream
     * @param unreachableMs how long servers may not answer
     */
    record Limits(long bytes, long unreachableMs) {}

    /** An output that was found, of whose index only the part is kept that the range needs. */
    private record Located(MapRange range, MapOutput output) {
        long bytes() {
            return range.bytes(output.index());
        }

        long position() {
            return output.begin() + range.position(output.index());
        }
    }

    private record Failing(FetchFailures kind, long sinceNs) {}

    /** What the store has completed. */
    private interface Event {
        void happen() throws IOException, FetchFailedException;
    }

    /** For outputs with so many partitions. */
    RangeFetcher(MapOutputs outputs, int partitions, List<MapRange> ranges, TaskContext context, Limits limits) {
        this.outputs = outputs;
        this.partitions = partitions;
        this.context = context;
        this.limits = limits;
        this.slices = new BufferSlices(outputs.store());
        this.left = ranges.size();
        ranges.stream()
                .sorted(Comparator.comparingLong(MapRange::roughBytes).reversed())
                .forEach(wanted::add);
    }

    /**
     * Waits for the next range.
     *
     * @return null behind the last one; to be given to {@link #release} before the next call
     * @throws FetchFailedException if an output is lost
     */
    FetchedRange next() throws IOException, FetchFailedException {
        FetchedRange next = advance();
        while (next == null && hasMore()) {
            happen(await());
            next = advance();
        }
        return next;
    }

    private synchronized boolean hasMore() {
        return left > 0;
    }

    /** Begins what the limits allow, and takes a range that is there. */
    private synchronized FetchedRange advance() throws IOException, FetchFailedException {
        requireOpen();
        for (Event event = events.poll(); event != null; event = events.poll()) {
            event.happen();
        }
        begin();
        FetchedRange next = ready.poll();
        left -= next == null ? 0 : 1;
        return next;
    }

    private synchronized void happen(Event event) throws IOException, FetchFailedException {
        requireOpen();
        event.happen();
    }

    private void requireOpen() throws IOException {
        if (isClosed) {
            throw new IOException("the task that reads a shuffle has ended");
        }
    }

    /** Gives the memory of a range back. */
    synchronized void release(FetchedRange range) {
        if (held.remove(range)) {
            heldBytes -= range.heldBytes();
            range.release();
        }
    }

    /** Gives all memory back; ranges that were given are of no use any more. */
    @Override
    public synchronized void close() {
        isClosed = true;
        held.forEach(FetchedRange::release);
        held.clear();
        slices.close();
    }

    private Event await() throws IOException {
        try {
            while (true) {
                requireOpen();
                context.killTaskIfInterrupted();
                Event event = events.poll(PAUSE_MS, TimeUnit.MILLISECONDS);
                if (event != null) {
                    return event;
                }
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        context.killTaskIfInterrupted();
        return new InterruptedIOException("interrupted while waiting for map outputs");
    }

    private void begin() throws IOException, FetchFailedException {
        while (lookingUp + located.size() < MOST_LOOKUPS && !wanted.isEmpty()) {
            lookUp(wanted.poll());
        }
        while (!located.isEmpty() && hasRoom(located.peek().bytes()) && read(located.peek())) {
            located.poll();
        }
    }

    private void lookUp(MapRange range) {
        lookingUp++;
        outputs.find(range.place(), partitions)
                .whenComplete((output, failure) -> events.add(() -> {
                    lookingUp--;
                    if (failure == null) {
                        onFound(range, output);
                    } else {
                        onFailed(range, failure);
                    }
                }));
    }

    private void onFound(MapRange range, MapOutput output) throws IOException, FetchFailedException {
        try {
            range.check(output.index());
            located.add(new Located(range, new MapOutput(output.file(), output.begin(), range.part(output.index()))));
        } catch (BrokenOutputException e) {
            onFailed(range, e);
        }
    }

    private boolean hasRoom(long bytes) {
        return heldBytes == 0 || bytes > limits.bytes || heldBytes + bytes <= limits.bytes;
    }

    /** Begins to read a range; false if there is no memory until others have been released. */
    private boolean read(Located next) throws IOException, FetchFailedException {
        try {
            if (next.bytes() > limits.bytes) {
                stream(next);
            } else {
                fill(next);
            }
        } catch (BufferExhaustedException e) {
            if (heldBytes == 0) {
                throw e;
            }
            return false;
        } catch (IOException e) {
            onFailed(next.range, e);
        }
        return true;
    }

    private void stream(Located next) throws IOException {
        PartitionIndex index = next.output.index();
        CrailBufferedInputStream source =
                StoreCalls.io("reading a shuffle", () -> next.output.file().getBufferedInputStream(0));
        source.seek(next.position());
        InputStream stream = new LargeRange(index, source, new StreamReads(next.range));
        FetchedRange fetched = new FetchedRange(next.range, index, stream, CompletableFuture.completedFuture(null), 0);
        held.add(fetched);
        ready.add(fetched);
    }

    private void fill(Located next) throws IOException {
        PartitionIndex index = next.output.index();
        long bytes = next.range.bytes(index);
        List<BufferSlices.Slice> taken = slices.take(bytes);
        List<CrailBuffer> buffers =
                taken.stream().map(slice -> slice.bytes().slice()).toList(); // the slices stay at their begin
        CompletableFuture<Void> filled = FileReads.fill(next.output.file(), next.position(), buffers);
        SliceStream stream = new SliceStream(taken);
        FetchedRange fetched = new FetchedRange(next.range, index, stream, filled, bytes);
        held.add(fetched);
        heldBytes += bytes;
        filled.whenComplete((done, failure) -> events.add(() -> onFilled(fetched, stream, failure)));
    }

    private void onFilled(FetchedRange fetched, SliceStream stream, Throwable failure)
            throws IOException, FetchFailedException {
        try {
            if (failure == null) {
                stream.check(new RangeChecksums(fetched.index()));
                ready.add(fetched);
            } else {
                release(fetched);
                onFailed(fetched.range(), failure);
            }
        } catch (BrokenOutputException e) {
            release(fetched);
            onFailed(fetched.range(), e);
        }
    }

    private void onFailed(MapRange range, Throwable failure) throws IOException, FetchFailedException {
        Throwable cause = FetchFailures.cause(failure);
        FetchFailures kind = FetchFailures.of(cause);
        if (kind == FetchFailures.SILENCE) {
            CompletableFuture<Void> ignored =
                    behindSilence(range).thenAccept(found -> events.add(() -> onFailed(range, cause, found)));
        } else {
            onFailed(range, cause, kind);
        }
    }

    private CompletableFuture<FetchFailures> behindSilence(MapRange range) {
        return outputs.behindSilence(range.place());
    }

    private void onFailed(MapRange range, Throwable cause, FetchFailures kind)
            throws IOException, FetchFailedException {
        throwUnlessPassing(range, cause, kind);
        CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS)
                .execute(() -> events.add(() -> wanted.addFirst(range)));
    }

    /** Returns if the range is to be tried again. A task that is to end has no failed fetch, whatever has failed. */
    private void throwUnlessPassing(MapRange range, Throwable cause, FetchFailures kind)
            throws IOException, FetchFailedException {
        requireOpen();
        context.killTaskIfInterrupted();
        outputs.forget(range.place());
        switch (isTooLong(range, kind) ? kind.inTheEnd() : kind) {
            case LOST -> throw range.failed(cause);
            case OTHER -> throw FetchFailures.ending(range, cause);
            case DATANODE_AWAY, NAMENODE_AWAY, SILENCE -> {}
        }
    }

    private boolean isTooLong(MapRange range, FetchFailures kind) {
        long nowNs = System.nanoTime();
        Failing since = failing.compute(
                range, (key, known) -> known != null && known.kind == kind ? known : new Failing(kind, nowNs));
        return nowNs - since.sinceNs > TimeUnit.MILLISECONDS.toNanos(limits.unreachableMs);
    }

    /** A read that fails is tried again as that of any other range, in the thread of the reader. */
    private final class StreamReads implements LargeRange.Reads {
        private final MapRange range;

        StreamReads(MapRange range) {
            this.range = range;
        }

        @Override
        public void succeeded() {
            failing.remove(range);
        }

        @Override
        public void failed(IOException failure) throws IOException {
            try {
                FetchFailures kind = FetchFailures.of(failure);
                throwUnlessPassing(
                        range,
                        failure,
                        kind == FetchFailures.SILENCE ? behindSilence(range).get() : kind);
                Thread.sleep(PAUSE_MS);
            } catch (FetchFailedException lost) {
                throw Unchecked.unchecked(lost);
            } catch (InterruptedException e) {
                throw interrupted();
            } catch (ExecutionException e) {
                throw new IOException(e); // there are none
            }
        }
    }
}

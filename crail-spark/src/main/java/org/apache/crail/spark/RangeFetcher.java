/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.CrailException;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.FetchFailedException;

/**
 * Fetches ranges of map outputs, the largest first, several at a time, and gives them in the order in which they come.
 * Each is wanted, then located by the index of its output, then read. What the store completes comes to the task's
 * thread through one queue of events. All methods are for that thread.
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

    /** When a datanode did not answer for the first time, of ranges for which one did not. */
    private final IdentityHashMap<MapRange, Long> unreachableSinceNs = new IdentityHashMap<>();

    private int lookingUp;
    private int left;
    private long heldBytes;
    private long waitedNs;

    /**
     * What a fetcher may do.
     *
     * @param bytes most bytes that are held in memory; a larger range is read as a stream
     * @param unreachableMs how long a datanode may not answer
     */
    record Limits(long bytes, long unreachableMs) {}

    private record Located(MapRange range, MapOutput output) {}

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
        if (left == 0) {
            return null;
        }
        for (Event event = events.poll(); event != null; event = events.poll()) {
            event.happen();
        }
        begin();
        while (ready.isEmpty()) {
            await().happen();
            begin();
        }
        left--;
        return ready.poll();
    }

    /** Gives the memory of a range back. */
    void release(FetchedRange range) {
        held.remove(range);
        heldBytes -= range.heldBytes();
        range.release();
    }

    /** How long this has waited. */
    long waitedMs() {
        return TimeUnit.NANOSECONDS.toMillis(waitedNs);
    }

    /** Gives all memory back; ranges that were given are of no use any more. */
    @Override
    public void close() {
        left = 0;
        held.forEach(FetchedRange::release);
        held.clear();
        slices.close();
    }

    private Event await() throws InterruptedIOException {
        long beginNs = System.nanoTime();
        try {
            while (true) {
                context.killTaskIfInterrupted();
                Event event = events.poll(PAUSE_MS, TimeUnit.MILLISECONDS);
                if (event != null) {
                    return event;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            context.killTaskIfInterrupted();
            throw new InterruptedIOException("interrupted while waiting for map outputs");
        } finally {
            waitedNs += System.nanoTime() - beginNs;
        }
    }

    /** Begins what the limits allow. */
    private void begin() throws IOException, FetchFailedException {
        while (lookingUp < MOST_LOOKUPS && !wanted.isEmpty()) {
            lookUp(wanted.poll());
        }
        while (!located.isEmpty() && hasRoom(located.peek()) && read(located.peek())) {
            located.poll();
        }
    }

    private void lookUp(MapRange range) {
        lookingUp++;
        outputs.find(range.plan().shuffleId(), range.mapId(), partitions)
                .whenComplete((output, failure) -> events.add(() -> {
                    lookingUp--;
                    if (failure == null) {
                        located.add(new Located(range, output));
                    } else {
                        onFailed(range, failure);
                    }
                }));
    }

    private boolean hasRoom(Located next) {
        long bytes = next.range.bytes(next.output.index());
        return heldBytes == 0 || bytes > limits.bytes || heldBytes + bytes <= limits.bytes;
    }

    /** Begins to read a range; false if there is no memory until others have been released. */
    private boolean read(Located next) throws IOException, FetchFailedException {
        MapRange range = next.range;
        PartitionIndex index = next.output.index();
        try {
            range.check(index);
            if (range.bytes(index) > limits.bytes) {
                hold(new FetchedRange(range, index, stream(next), CompletableFuture.completedFuture(null), 0));
            } else {
                hold(fill(next));
            }
        } catch (BufferExhaustedException e) {
            if (heldBytes == 0) {
                throw e;
            }
            return false;
        } catch (IOException e) {
            onFailed(range, e);
        }
        return true;
    }

    private void hold(FetchedRange fetched) {
        held.add(fetched);
        heldBytes += fetched.heldBytes();
        fetched.filled()
                .whenComplete((done, failure) -> events.add(() -> {
                    if (failure == null) {
                        ready.add(fetched);
                    } else {
                        release(fetched);
                        onFailed(fetched.range(), failure);
                    }
                }));
    }

    private FetchedRange fill(Located next) throws IOException {
        PartitionIndex index = next.output.index();
        long bytes = next.range.bytes(index);
        List<BufferSlices.Slice> taken = slices.take(bytes);
        List<CrailBuffer> buffers =
                taken.stream().map(slice -> slice.bytes().slice()).toList(); // the slices stay at their begin
        CompletableFuture<Void> filled = FileReads.fill(next.output.file(), next.range.position(index), buffers);
        return new FetchedRange(next.range, index, new SliceStream(taken), filled, bytes);
    }

    private InputStream stream(Located next) throws IOException {
        MapRange range = next.range;
        CrailBufferedInputStream stream =
                StoreCalls.io("reading a shuffle", () -> next.output.file().getBufferedInputStream(0));
        stream.seek(range.position(next.output.index()));
        return new FilterInputStream(stream) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                try {
                    return super.read(target, offset, length);
                } catch (CrailException e) {
                    context.killTaskIfInterrupted();
                    outputs.forget(range.plan().shuffleId(), range.mapId());
                    if (FetchFailures.of(e) != FetchFailures.OTHER) {
                        throw Unchecked.unchecked(range.failed(e));
                    }
                    throw e;
                }
            }
        };
    }

    /** A task that is to end has no failed fetch, whatever fails because of that. */
    private void onFailed(MapRange range, Throwable failure) throws IOException, FetchFailedException {
        context.killTaskIfInterrupted();
        Throwable cause = FetchFailures.cause(failure);
        outputs.forget(range.plan().shuffleId(), range.mapId());
        FetchFailures kind = FetchFailures.of(cause);
        if (kind == FetchFailures.UNREACHABLE) {
            long sinceNs = unreachableSinceNs.computeIfAbsent(range, first -> System.nanoTime());
            boolean isTold = System.nanoTime() - sinceNs > TimeUnit.MILLISECONDS.toNanos(limits.unreachableMs);
            kind = isTold ? FetchFailures.LOST : kind;
        }
        switch (kind) {
            case LOST -> throw range.failed(cause);
            case UNREACHABLE ->
                CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS)
                        .execute(() -> events.add(() -> wanted.addFirst(range)));
            case OTHER -> throw FetchFailures.ending(range, cause);
        }
    }
}

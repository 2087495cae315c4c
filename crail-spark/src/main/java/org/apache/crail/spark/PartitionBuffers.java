/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a map task has for each partition, in memory that Spark's memory manager grants. Where it grants no more, or
 * wants some back, all goes to a file in Crail, one partition behind the other; what comes later is kept in memory
 * again. Used by the thread of one task; Spark may ask any thread to give memory back, and others than that one do not.
 */
final class PartitionBuffers extends MemoryConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionBuffers.class);
    private static final int FIRST_PAGE_BYTES = 512;
    private static final int LAST_PAGE_BYTES = 256 << 10;

    private static final byte[] NO_PAGE = {};

    /** So many are taken also without a grant, or each page would be spilled. */
    private static final long LEAST_BYTES = 1 << 20;

    private final Thread owner = Thread.currentThread();

    /** Each null before it is used. */
    private final Buffer[] buffers;

    private final long mostBytes;
    private final SpillFile spilled;
    private final LongConsumer onSpilled;

    /** Of all pages. */
    private long heldBytes;

    private long peakBytes;
    private boolean isDiscarding;

    /**
     * For so many partitions; what is in memory no more is in a file, which the caller deletes.
     *
     * @param mostBytes at which all goes to the file, also where Spark would grant more
     * @param onSpilled told how many bytes have gone there
     */
    PartitionBuffers(
            TaskMemoryManager memory, int partitions, long mostBytes, SpillFile spilled, LongConsumer onSpilled) {
        super(memory, MemoryMode.ON_HEAP);
        this.mostBytes = mostBytes;
        this.spilled = spilled;
        this.onSpilled = onSpilled;
        this.buffers = new Buffer[partitions];
    }

    /** A partition. */
    private final class Buffer extends OutputStream {
        private final List<byte[]> full = new ArrayList<>();
        private byte[] last = NO_PAGE;
        private int used;

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int done = isDiscarding ? length : 0; done < length; ) {
                if (used == last.length) {
                    addPage();
                }
                int part = Math.min(length - done, last.length - used);
                System.arraycopy(bytes, offset + done, last, used, part);
                used += part;
                done += part;
            }
        }

        /** May empty all buffers. */
        private void addPage() throws IOException {
            int bytes = Math.max(FIRST_PAGE_BYTES, Math.min(LAST_PAGE_BYTES, 2 * last.length));
            acquire(bytes);
            if (used > 0) {
                full.add(last);
            }
            last = new byte[bytes];
            used = 0;
        }

        void writeTo(OutputStream target) throws IOException {
            for (byte[] page : full) {
                target.write(page);
            }
            target.write(last, 0, used);
        }

        long bytes() {
            return used + full.stream().mapToLong(page -> page.length).sum();
        }

        void clear() {
            full.clear();
            last = NO_PAGE;
            used = 0;
        }
    }

    /** What is written there belongs to a partition. */
    OutputStream stream(int partition) {
        if (buffers[partition] == null) {
            buffers[partition] = new Buffer();
        }
        return buffers[partition];
    }

    /** The most that there was at a time. */
    long peakBytes() {
        return peakBytes;
    }

    private void acquire(int bytes) throws IOException {
        if (heldBytes + bytes > mostBytes) {
            long ignored = spillAll();
        }
        long granted = acquireMemory(bytes);
        if (granted < bytes && heldBytes >= LEAST_BYTES) {
            freeMemory(granted);
            long freed = spillAll();
            long again = acquireMemory(bytes); // a page is taken in any case, or nothing would ever end
            LOG.debug("{} bytes were spilled for a page of {}, of which {} are granted", freed, bytes, again);
        }
        heldBytes += bytes;
        peakBytes = Math.max(peakBytes, heldBytes);
    }

    /** Called by Spark where another one of the task wants memory. */
    @Override
    public long spill(long size, MemoryConsumer trigger) throws IOException {
        return trigger == this || Thread.currentThread() != owner ? 0 : spillAll();
    }

    private long spillAll() throws IOException {
        if (heldBytes == 0) {
            return 0;
        }
        long[] lengths = Arrays.stream(buffers)
                .mapToLong(each -> each == null ? 0 : each.bytes())
                .toArray();
        spilled.add(lengths, this::writeHeld);
        onSpilled.accept(Arrays.stream(lengths).sum());
        return free();
    }

    /** Gives all of a partition, in the order in which it was written. */
    void writeTo(int partition, OutputStream target) throws IOException {
        spilled.writeTo(partition, target);
        writeHeld(partition, target);
    }

    private void writeHeld(int partition, OutputStream target) throws IOException {
        if (buffers[partition] != null) {
            buffers[partition].writeTo(target);
        }
    }

    /** Gives all memory back, and all that is in it or comes yet up. */
    void discard() {
        isDiscarding = true;
        long ignored = free();
    }

    private long free() {
        for (Buffer each : buffers) {
            if (each != null) {
                each.clear();
            }
        }
        heldBytes = 0;
        long freed = getUsed();
        freeMemory(freed);
        return freed;
    }
}

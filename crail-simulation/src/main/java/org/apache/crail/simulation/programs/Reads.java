/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.error.CrailException;

/** Reads files in all ways, and compares what comes with the model. Confined to one program. */
final class Reads {
    private static final String[] WAYS = {" directly", " at position", " buffered", " in ranges"};
    private static final int MOST_RANGES = 4;

    private final Bench bench;

    Reads(Bench bench) {
        this.bench = bench;
    }

    /** Reads a part of a file. */
    void readSome(Handle handle) {
        long capacity = handle.file.getCapacity();
        if (capacity <= 0) {
            return;
        }
        boolean isAll = bench.random.nextInt(3) == 0;
        int length = (int) Math.min(Bench.MOST_BYTES, isAll ? capacity : Math.min(capacity, bench.size()));
        long position = bench.random.nextLong(capacity - length + 1);
        int way = bench.random.nextInt(WAYS.length);
        String what = "read " + position + " + " + length + " of " + capacity + " " + handle + WAYS[way];
        CrailException ignored = bench.attempt(what, () -> read(handle, position, length, way, what));
    }

    /** Reads a file from begin to end, the large pieces directly. */
    void readAll(Handle handle, String what) throws Exception {
        long capacity = handle.file.getCapacity();
        for (long from = 0; from < capacity; from += Bench.MOST_BYTES) {
            read(handle, from, (int) Math.min(Bench.MOST_BYTES, capacity - from), 0, what + " of " + handle);
        }
    }

    /** Reads a file of few bytes in any way. */
    void readWhole(Handle handle, String what) throws Exception {
        int capacity = (int) handle.file.getCapacity();
        if (capacity > 0) {
            read(handle, 0, capacity, bench.random.nextInt(WAYS.length), what);
        }
    }

    private void read(Handle handle, long position, int length, int way, String what) throws Exception {
        if (way == WAYS.length - 1) {
            readRanges(handle, position, length, what);
            return;
        }
        byte[] bytes = new byte[length];
        int count = way == 0 ? readDirectly(handle, position, bytes) : readBuffered(handle, position, bytes, way == 1);
        bench.model.checkBytes(what, handle.fd, position, bytes, Math.max(count, 0), handle.own);
    }

    private int readDirectly(Handle handle, long position, byte[] bytes) throws Exception {
        CrailInputStream in = handle.file.getDirectInputStream(bench.random.nextBoolean() ? bytes.length : 0);
        CrailBuffer buffer = bench.store.allocateBuffer();
        buffer.clear();
        buffer.limit(bytes.length);
        in.seek(position);
        int count = finish(in.read(buffer), buffer, bytes);
        in.close();
        return count;
    }

    private int finish(Future<CrailResult> read, CrailBuffer buffer, byte[] bytes) throws Exception {
        CrailResult result = read.get();
        int count = result == null ? 0 : (int) result.getLen();
        buffer.flip();
        buffer.get(bytes, 0, Math.min(count, bytes.length));
        bench.store.freeBuffer(buffer);
        return count;
    }

    private int readBuffered(Handle handle, long position, byte[] bytes, boolean isAtPosition) throws Exception {
        CrailBufferedInputStream in = handle.file.getBufferedInputStream(bench.random.nextBoolean() ? bytes.length : 0);
        try {
            if (isAtPosition) {
                return in.read(position, bytes, 0, bytes.length);
            }
            in.seek(position);
            return in.read(bytes, 0, bytes.length);
        } finally {
            in.close();
        }
    }

    /** A part of a file that is under way. */
    private record Range(
            long position, int length, CrailBuffer buffer, CrailInputStream in, Future<CrailResult> read) {}

    /** Several ranges at once, as a vectored read does; each has a stream of its own. */
    private void readRanges(Handle handle, long position, int length, String what) throws Exception {
        List<Range> ranges = new ArrayList<>();
        int count = 1 + bench.random.nextInt(MOST_RANGES);
        for (int i = 0; i < count; i++) {
            int from = bench.random.nextInt(length);
            int size = 1 + bench.random.nextInt(length - from);
            CrailInputStream in = handle.file.getDirectInputStream(0);
            CrailBuffer buffer = bench.store.allocateBuffer();
            buffer.clear();
            buffer.limit(size);
            in.seek(position + from);
            ranges.add(new Range(position + from, size, buffer, in, in.read(buffer)));
        }
        ExecutionException failure = null;
        for (Range range : ranges) {
            try {
                byte[] bytes = new byte[range.length];
                int read = finish(range.read, range.buffer, bytes);
                bench.model.checkBytes(what, handle.fd, range.position, bytes, read, handle.own);
            } catch (ExecutionException e) {
                failure = e;
            }
            range.in.close();
        }
        if (failure != null) {
            throw failure;
        }
    }
}

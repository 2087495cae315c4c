/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStore;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.Path;

/**
 * Reads anywhere in a file, any number of reads at a time, without moving anybody's position. All methods are thread
 * safe, and no read waits for another's copy: a stream has one position, and copies mapped blocks while it is asked, so
 * that each thread has one for itself meanwhile.
 */
final class DirectReads {
    private static final int MOST_COPY_BYTES = 64 * 1024;

    private final CrailStore store;
    private final CrailFile file;
    private final Path path;

    /** Made when they are needed: those that nobody asks at this moment. */
    private final Deque<CrailInputStream> streams = new ConcurrentLinkedDeque<>();

    /** Shared by who asks a stream; whole for who takes all streams. */
    private final ReentrantReadWriteLock using = new ReentrantReadWriteLock();

    private volatile boolean closed;

    DirectReads(CrailStore store, CrailFile file, Path path) {
        this.store = store;
        this.file = file;
        this.path = path;
    }

    /** Begins to fill a buffer, which must not be touched until the result is there; the bytes must be in the file. */
    Future<CrailResult> begin(long position, CrailBuffer buffer) throws IOException {
        using.readLock().lock();
        try {
            if (closed) {
                throw new IOException(path + ": " + FSExceptionMessages.STREAM_IS_CLOSED);
            }
            return Failures.call(path, () -> begin(stream(), position, buffer));
        } finally {
            using.readLock().unlock();
        }
    }

    private CrailInputStream stream() throws Exception {
        CrailInputStream stream = streams.pollLast();
        return stream == null ? file.getDirectInputStream(0) : stream;
    }

    private Future<CrailResult> begin(CrailInputStream stream, long position, CrailBuffer buffer) throws Exception {
        try {
            stream.seek(position);
            return stream.read(buffer);
        } finally {
            streams.addLast(stream);
        }
    }

    /** Reads into a direct buffer without a copy, from its position on; the bytes must be in the file. */
    void read(long position, ByteBuffer target, int length) throws IOException {
        Future<CrailResult> reading = begin(position, OffHeapBuffer.wrap(slice(target, length)));
        CrailResult ignored = Failures.finish(path, reading);
        target.position(target.position() + length);
    }

    /** Reads into an array, over a buffer of the store; the bytes must be in the file. */
    void read(long position, byte[] target, int offset, int length) throws IOException {
        CrailBuffer buffer = buffer();
        try {
            for (int done = 0; done < length; ) {
                int part = Math.min(buffer.capacity(), length - done);
                buffer.clear().limit(part);
                Future<CrailResult> reading = begin(position + done, buffer);
                CrailResult ignored = Failures.finish(path, reading);
                buffer.clear();
                buffer.get(target, offset + done, part);
                done += part;
            }
        } finally {
            free(buffer);
        }
    }

    /** How many bytes are copied at a time: what fits a buffer of the store, at most 64 KiB. */
    int copyBytes() throws IOException {
        CrailBuffer buffer = buffer();
        try {
            return Math.min(MOST_COPY_BYTES, buffer.capacity());
        } finally {
            free(buffer);
        }
    }

    /** A buffer of the store, to be given back with {@link #free}. */
    CrailBuffer buffer() throws IOException {
        return Failures.call(path, store::allocateBuffer);
    }

    void free(CrailBuffer buffer) throws IOException {
        Object ignored = Failures.call(path, () -> {
            store.freeBuffer(buffer);
            return null;
        });
    }

    /** The next bytes of a buffer, which does not move. */
    static ByteBuffer slice(ByteBuffer buffer, int length) {
        return buffer.duplicate().limit(buffer.position() + length).slice();
    }

    /** Waits for reads in flight; the next read takes a new stream. */
    void release() throws IOException {
        Failures.closeAll(path, takeAll(false));
    }

    /** Waits for reads in flight; what is begun from now on fails. */
    void close() throws IOException {
        Failures.closeAll(path, takeAll(true));
    }

    /** To be closed without the lock, which completing reads may want in order to begin others. */
    private List<AutoCloseable> takeAll(boolean last) {
        boolean isAsking = using.getReadHoldCount() > 0; // a callback of this thread's own request
        if (isAsking) { // whose stream stays until the store closes
            return takeIdle(last);
        }
        using.writeLock().lock();
        try {
            return takeIdle(last);
        } finally {
            using.writeLock().unlock();
        }
    }

    private List<AutoCloseable> takeIdle(boolean last) {
        closed |= last;
        List<AutoCloseable> taken = new ArrayList<>();
        for (CrailInputStream stream = streams.poll(); stream != null; stream = streams.poll()) {
            taken.add(stream);
        }
        return taken;
    }
}

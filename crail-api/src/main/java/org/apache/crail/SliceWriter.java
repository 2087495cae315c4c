/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Future;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.internal.NearStream;

/**
 * Write-behind: collects bytes in slices and writes full ones while the next is filled. Slices end at multiples of the
 * slice size within the file. After a failure every call fails. Not thread safe.
 */
final class SliceWriter {
    private record Pending(CrailBuffer slice, int length, Future<CrailResult> future) {}

    private final CrailOutputStream stream;
    private final SlicePool pool;
    private final CrailBufferedStatistics statistics;
    private final String what;
    private final Deque<Pending> pending = new ArrayDeque<>();
    private CrailBuffer current;
    private IOException failure;
    private boolean isTold;

    SliceWriter(CrailOutputStream stream, SlicePool pool, CrailBufferedStatistics statistics, String path) {
        this.stream = stream;
        this.pool = pool;
        this.statistics = statistics;
        this.what = "writing " + path;
    }

    /** The slice to put bytes into; has room for at least one. */
    CrailBuffer room() throws IOException {
        if (current != null) {
            return current;
        }
        checkNotFailed();
        current = nextSlice();
        int size = current.capacity();
        current.limit(size - (int) (stream.position() % size));
        return current;
    }

    /** Writes the slice that {@link #room} gave if it is full; called after bytes have been put into it. */
    void filled() throws IOException {
        if (!current.hasRemaining()) {
            push();
        }
    }

    /**
     * Writes bytes past the slices, behind those that have been collected, if they would fill one and go to memory that
     * is near.
     *
     * @param source what to write; its position advances
     * @return how many bytes were written; 0 if they have to be collected
     */
    int copy(ByteBuffer source) throws IOException {
        if (source.remaining() < pool.sliceSize() || !(stream instanceof NearStream near) || !near.isNear()) {
            return 0;
        }
        push();
        try {
            int copied = near.copy(source);
            if (copied > 0) {
                statistics.count(false);
            }
            return copied;
        } catch (IOException e) {
            fail(e);
            throw e;
        }
    }

    /** A write of so many bytes may be a copy. */
    int sliceSize() {
        return pool.sliceSize();
    }

    private CrailBuffer nextSlice() throws IOException {
        while (!pending.isEmpty() && pending.peek().future().isDone()) {
            reap();
        }
        CrailBuffer slice = pool.take();
        statistics.count(slice == null);
        if (slice == null) {
            reap();
            slice = pool.take();
        }
        return slice;
    }

    /** Waits for the oldest write and takes its slice back. An interrupted wait leaves everything as it was. */
    private void reap() throws IOException {
        Pending oldest = pending.element();
        try {
            check(oldest, Calls.await(what, oldest.future()));
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            fail(e);
            release(oldest);
            throw e;
        }
        release(oldest);
    }

    private void check(Pending write, CrailResult result) throws IOException {
        if (result.getLen() != write.length()) {
            throw new StorageFailureException(
                    what + " failed: " + result.getLen() + " of " + write.length() + " bytes were written");
        }
    }

    private void release(Pending write) {
        pending.remove(write);
        pool.release(write.slice());
    }

    /** Notes a failure that the caller is told of. */
    private void fail(IOException e) {
        note(e);
        isTold = true;
    }

    private void note(IOException e) {
        failure = failure == null ? e : failure;
    }

    /** Throws the failure if there is one. */
    void checkNotFailed() throws IOException {
        if (failure == null) {
            return;
        }
        if (!isTold) {
            isTold = true;
            throw failure;
        }
        throw failure instanceof CrailException typed ? repeated(typed) : Calls.again(what, failure);
    }

    private CrailException repeated(CrailException typed) {
        String text = typed.getMessage();
        return typed.repeated(text.startsWith(what) ? text : what + " failed: " + text, what + " failed before");
    }

    /** Whether something that went wrong is what all calls fail with. */
    boolean hasFailedWith(IOException e) {
        return failure != null
                && failure.getMessage() != null
                && e.getMessage() != null
                && failure.getMessage().contains(e.getMessage());
    }

    /** Writes what the current slice holds, without waiting. */
    void push() throws IOException {
        checkNotFailed();
        if (current == null || current.position() == 0) {
            return;
        }
        CrailBuffer slice = current;
        current = null;
        slice.flip();
        int length = slice.remaining();
        try {
            pending.add(new Pending(slice, length, Calls.io(what, () -> stream.write(slice))));
        } catch (IOException e) {
            pool.release(slice);
            fail(e);
            throw e;
        }
    }

    /** Writes what the current slice holds; the result waits for this write and all before it. */
    Future<CrailResult> purge() throws IOException {
        push();
        CrailPurgeOperation operation = new CrailPurgeOperation();
        pending.forEach(write -> operation.add(write.future()));
        return operation;
    }

    /** Writes what the current slice holds and waits for all writes. */
    void drain() throws IOException {
        push();
        while (!pending.isEmpty()) {
            reap();
        }
        checkNotFailed();
    }

    /** Waits until no write uses a slice any more, whatever becomes of it and uninterruptibly; notes a failure. */
    void settle() {
        while (!pending.isEmpty()) {
            Pending oldest = pending.element();
            try {
                check(oldest, Calls.awaitUninterruptibly(what, oldest.future()));
            } catch (IOException e) {
                note(e);
            }
            release(oldest);
        }
    }

    /** The bytes that are collected and not yet being written. */
    int collected() {
        return current == null ? 0 : current.position();
    }
}

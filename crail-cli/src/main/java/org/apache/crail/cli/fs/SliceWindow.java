/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStore;
import org.apache.crail.cli.context.Closing;

/**
 * The slices of one file that are in flight, oldest first, each with the buffer that belongs to it, and the buffers
 * that wait for their next use. Closing waits for what is in flight, gives the buffers back and closes the stream. Used
 * by one thread.
 */
final class SliceWindow implements AutoCloseable {
    private final CrailStore store;
    private final int size;
    private final AutoCloseable stream;
    private final Deque<Slice> inFlight = new ArrayDeque<>();
    private final Deque<CrailBuffer> idle = new ArrayDeque<>();

    /**
     * Makes an empty window.
     *
     * @param size how many slices are in flight at most
     * @param stream what the slices belong to; closed with the window
     */
    SliceWindow(CrailStore store, int size, AutoCloseable stream) {
        this.store = store;
        this.size = size;
        this.stream = stream;
    }

    boolean isEmpty() {
        return inFlight.isEmpty();
    }

    boolean isFull() {
        return inFlight.size() >= size;
    }

    /** A cleared buffer; the caller gives it back through {@link #add} or {@link #release}. */
    CrailBuffer buffer() throws Exception {
        CrailBuffer buffer = idle.isEmpty() ? store.allocateBuffer() : idle.remove();
        return buffer.clear();
    }

    void release(CrailBuffer buffer) {
        idle.add(buffer);
    }

    void add(CrailBuffer buffer, Future<CrailResult> future) {
        inFlight.add(new Slice(buffer, future));
    }

    /** Waits for the oldest slice; its buffer then holds it. Returns its length in bytes. */
    long awaitOldest() throws InterruptedException, ExecutionException {
        return inFlight.element().future.get().getLen();
    }

    /** The buffer of the oldest slice, which leaves the window and is the caller's. */
    CrailBuffer removeOldest() {
        return inFlight.remove().buffer;
    }

    @Override
    public void close() throws IOException {
        while (!inFlight.isEmpty()) {
            Slice slice = inFlight.remove();
            awaitQuietly(slice.future);
            idle.add(slice.buffer);
        }
        try {
            for (CrailBuffer buffer : idle) {
                Closing.close(() -> store.freeBuffer(buffer));
            }
        } finally {
            Closing.close(stream);
        }
    }

    /** Whoever closes a window with slices in flight has a failure to tell already. */
    private static void awaitQuietly(Future<CrailResult> future) {
        boolean interrupted = false;
        while (!future.isDone()) {
            try {
                future.get();
            } catch (InterruptedException e) {
                interrupted =
                        true; // the buffer is in use until the transfer has ended, which it does by its time limit
            } catch (ExecutionException e) {
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A transfer. */
    private record Slice(CrailBuffer buffer, Future<CrailResult> future) {}
}

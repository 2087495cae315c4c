/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailStore;

/**
 * Cuts buffers of a store into slices, so that many small ranges share one. A buffer goes back when its last slice has
 * been released. One thread may take and close; any may release.
 */
final class BufferSlices implements AutoCloseable {
    private final CrailStore store;

    /** The buffer that is being cut; null if there is none. */
    private Shared current;

    BufferSlices(CrailStore store) {
        this.store = store;
    }

    /** A part of a buffer, from position 0 to its limit; owned by whoever took it, until it is released once. */
    record Slice(CrailBuffer bytes, Shared home) {
        void release() {
            home.leave();
        }
    }

    /** Takes slices for so many bytes in all, or none. */
    List<Slice> take(long bytes) throws IOException {
        List<Slice> slices = new ArrayList<>();
        boolean isWhole = false;
        try {
            for (long left = bytes;
                    left > 0;
                    left -= slices.get(slices.size() - 1).bytes.remaining()) {
                slices.add(takeSome(left));
            }
            isWhole = true;
            return slices;
        } finally {
            if (!isWhole) {
                slices.forEach(Slice::release);
            }
        }
    }

    private Slice takeSome(long most) throws IOException {
        if (current == null) {
            current = new Shared(StoreCalls.io("reading a shuffle", store::allocateBuffer));
        }
        Slice slice = current.cut(most);
        if (!current.buffer.hasRemaining()) {
            close();
        }
        return slice;
    }

    /** What is left of the buffer is of no use any more. */
    @Override
    public void close() {
        if (current != null) {
            current.leave();
            current = null;
        }
    }

    private final class Shared {
        private final CrailBuffer buffer;
        private final AtomicInteger users = new AtomicInteger(1);

        Shared(CrailBuffer buffer) {
            this.buffer = buffer;
        }

        Slice cut(long most) {
            int end = buffer.limit();
            int part = (int) Math.min(most, buffer.remaining());
            CrailBuffer slice = buffer.limit(buffer.position() + part).slice();
            buffer.position(buffer.limit()).limit(end);
            users.incrementAndGet();
            return new Slice(slice, this);
        }

        void leave() {
            if (users.decrementAndGet() == 0) {
                try {
                    store.freeBuffer(buffer);
                } catch (Exception e) { // as declared
                    throw new IllegalStateException("a buffer of the store was freed by somebody else", e);
                }
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.internal.StreamSettings;

/**
 * The memory of one buffered stream: buffers of the store cut into slices, allocated as they are needed. Not thread
 * safe.
 */
final class SlicePool {
    /** How many times the larger of buffer and slice a stream may hold, unless it is told a number of slices. */
    private static final int DEFAULT_DEPTH = 2;

    private final CrailStore store;
    private final int sliceSize;
    private final List<CrailBuffer> buffers = new ArrayList<>();
    private final Deque<CrailBuffer> free = new ArrayDeque<>();
    private int limit;
    private int handedOut;

    /** Makes a pool of at most {@code limit} slices, or of as many as fit two buffers if that is 0. */
    SlicePool(CrailStore store, int limit) {
        this.store = store;
        this.sliceSize = sliceSizeOf(store);
        this.limit = limit;
    }

    /** What the store says, if it says anything, else the default. */
    private static int sliceSizeOf(CrailStore store) {
        return store instanceof StreamSettings settings ? settings.sliceSize() : CrailKeys.SLICE_SIZE.defaultValue();
    }

    /** Bytes of a slice; buffers may be smaller. */
    int sliceSize() {
        return sliceSize;
    }

    /** The most slices that are handed out at a time; 0 if not known yet. */
    int limit() {
        return limit;
    }

    /** Hands out a cleared slice, or null if the limit is reached or there is no more memory, but enough to go on. */
    CrailBuffer take() throws IOException {
        if (limit > 0 && handedOut >= limit) {
            return null;
        }
        if (free.isEmpty() && !allocate()) {
            return null;
        }
        handedOut++;
        CrailBuffer slice = free.removeLast();
        slice.clear();
        return slice;
    }

    private boolean allocate() throws IOException {
        try {
            CrailBuffer buffer = Calls.io("allocating a buffer for a stream", store::allocateBuffer);
            buffers.add(buffer);
            cut(buffer);
            return true;
        } catch (BufferExhaustedException e) {
            if (handedOut == 0) {
                throw e;
            }
            limit = handedOut;
            return false;
        }
    }

    private void cut(CrailBuffer buffer) {
        int capacity = buffer.capacity();
        int size = Math.min(capacity, sliceSize);
        if (limit == 0) {
            limit = DEFAULT_DEPTH * Math.max(1, Math.max(capacity, sliceSize) / size);
        }
        for (int start = 0; start + size <= capacity; start += size) {
            buffer.clear().position(start).limit(start + size);
            free.addFirst(buffer.slice());
        }
        buffer.clear();
    }

    /** Takes back a slice that no operation uses any more. */
    void release(CrailBuffer slice) {
        handedOut--;
        free.addLast(slice);
    }

    /** Gives all buffers back, also if giving back some fails; no slice may be in use. */
    void close() throws IOException {
        free.clear();
        List<CrailBuffer> all = List.copyOf(buffers);
        buffers.clear();
        Calls.all(
                "freeing the buffers of a stream",
                all.stream()
                        .map(buffer -> (Calls.Action) () -> store.freeBuffer(buffer))
                        .toArray(Calls.Action[]::new));
    }
}

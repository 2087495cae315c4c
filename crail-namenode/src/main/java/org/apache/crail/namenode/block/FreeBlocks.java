/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.IntConsumer;

/**
 * The free blocks of a datanode. Those that came back are taken first, last in first out; then those that were never
 * given out, the lowest first. The latter are kept as ranges, the former in chunks, so that no step depends on the
 * number of blocks. Not thread safe; guarded by the namespace's lock.
 */
final class FreeBlocks {
    private static final int CHUNK = 1024;

    private final Deque<BlockRange> fresh = new ArrayDeque<>();
    private int[][] chunks = new int[1][];
    private int returned;
    private int size;

    /** Adds blocks that were never given out. */
    void addRange(BlockRange range) {
        fresh.add(range);
        size += range.count();
    }

    /** Takes a block; there must be one. */
    int pop() {
        size--;
        if (returned > 0) {
            returned--;
            return chunks[returned / CHUNK][returned % CHUNK];
        }
        BlockRange first = fresh.poll();
        if (first.count() > 1) {
            fresh.addFirst(first.withoutFirst());
        }
        return first.begin();
    }

    /** Takes a block back. */
    void push(int number) {
        int chunk = returned / CHUNK;
        if (chunk == chunks.length) {
            chunks = Arrays.copyOf(chunks, chunk * 2);
        }
        if (chunks[chunk] == null) {
            chunks[chunk] = new int[CHUNK];
        }
        chunks[chunk][returned % CHUNK] = number;
        returned++;
        size++;
    }

    void clear() {
        fresh.clear();
        chunks = new int[1][];
        returned = 0;
        size = 0;
    }

    int size() {
        return size;
    }

    /**
     * Begins a walk over what is free now, which may go on beside changes: it visits each block that stays free, and
     * none twice.
     */
    Walk walk() {
        return new Walk();
    }

    /** A walk that stops and goes on. A block that is returned stays at its place until it is taken. */
    final class Walk {
        private final int returnedBefore = returned;
        private final BlockRange.Walk freshBefore = new BlockRange.Walk(new ArrayList<>(fresh));
        private int nextReturned;

        private Walk() {}

        /** Visits so many blocks at most; how many. Fewer if there are no more. */
        int walk(int limit, IntConsumer consumer) {
            int done = 0;
            for (; done < limit && nextReturned < returnedBefore && nextReturned < returned; done++) {
                consumer.accept(chunks[nextReturned / CHUNK][nextReturned % CHUNK]);
                nextReturned++;
            }
            return done + freshBefore.walk(limit - done, consumer);
        }
    }
}

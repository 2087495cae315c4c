/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.function.LongConsumer;

/**
 * Blocks that wait for reclamation. All wait equally long, so they become due in the order in which they came.
 * Grows and shrinks in chunks, so that no operation copies the whole. Not thread safe; guarded by the namespace's lock.
 */
final class PendingBlocks {
    private static final int CHUNK = 512;

    private Chunk head = new Chunk();
    private Chunk tail = head;
    private long size;

    void add(long block, long dueNs) {
        if (tail.end == CHUNK) {
            tail.next = new Chunk();
            tail = tail.next;
        }
        tail.blocks[tail.end] = block;
        tail.dueNs[tail.end] = dueNs;
        tail.end++;
        size++;
    }

    /** Whether the first block is due. */
    boolean hasDue(long nowNs) {
        return size > 0 && nowNs - head.dueNs[head.begin] >= 0;
    }

    /** Removes the first block; there must be one. */
    long poll() {
        long block = head.blocks[head.begin++];
        size--;
        if (head.begin == CHUNK) {
            head = head.next == null ? new Chunk() : head.next;
            tail = head.next == null ? head : tail;
        }
        return block;
    }

    long size() {
        return size;
    }

    /** Begins a walk over what waits now, which may go on beside changes; it visits also what is polled meanwhile. */
    Walk walk() {
        return new Walk(head, size);
    }

    /** A walk that stops and goes on: what is in a chunk stays there. */
    static final class Walk {
        private Chunk chunk;
        private int next;
        private long left;

        private Walk(Chunk head, long size) {
            this.chunk = head;
            this.next = head.begin;
            this.left = size;
        }

        /** Visits so many blocks at most; how many. Fewer if there are no more. */
        int walk(int limit, LongConsumer consumer) {
            int done = 0;
            for (; done < limit && left > 0; done++) {
                if (next == CHUNK) {
                    chunk = chunk.next;
                    next = 0;
                }
                consumer.accept(chunk.blocks[next++]);
                left--;
            }
            return done;
        }
    }

    private static final class Chunk {
        private final long[] blocks = new long[CHUNK];
        private final long[] dueNs = new long[CHUNK];
        private int begin;
        private int end;
        private Chunk next;
    }
}

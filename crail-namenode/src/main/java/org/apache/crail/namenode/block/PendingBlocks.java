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

    void forEach(LongConsumer consumer) {
        for (Chunk chunk = head; chunk != null; chunk = chunk.next) {
            for (int i = chunk.begin; i < chunk.end; i++) {
                consumer.accept(chunk.blocks[i]);
            }
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import org.apache.crail.CrailBuffer;
import org.apache.crail.memory.BufferCache;

/**
 * Memory for transfers of values whose bytes lie on the heap: pieces of buffers of the store, as thousands of short
 * values must not hold a buffer each. A buffer is given back when the last of its pieces is. Thread safe.
 */
final class ValueMemory {
    /** Of each piece, a cache line. */
    private static final int ALIGNMENT = 64;

    private final BufferCache buffers;

    /** Of which pieces are cut; null if there is none. */
    @GuardedBy("this")
    private Whole current;

    ValueMemory(BufferCache buffers) {
        this.buffers = buffers;
    }

    /** A buffer of the store, and how many of its pieces are in use. */
    private static final class Whole {
        private final CrailBuffer buffer;
        private int end;
        private int pieces;

        Whole(CrailBuffer buffer) {
            this.buffer = buffer;
        }

        CrailBuffer cut(int length) {
            buffer.limit(end + length).position(end);
            CrailBuffer piece = buffer.slice();
            buffer.clear();
            end = Math.min(buffer.capacity(), (end + length + ALIGNMENT - 1) & -ALIGNMENT);
            pieces++;
            return piece;
        }
    }

    /** A part of a buffer; to be given back by whoever took it. */
    final class Piece {
        private final Whole whole;
        private final CrailBuffer buffer;

        private Piece(Whole whole, CrailBuffer buffer) {
            this.whole = whole;
            this.buffer = buffer;
        }

        CrailBuffer buffer() {
            return buffer;
        }

        void giveBack() {
            ended(whole);
        }
    }

    /**
     * Gives memory for so many bytes, or as many as a buffer of the store has.
     *
     * @throws IOException BufferExhaustedException if there is no memory left
     */
    Piece take(int length) throws IOException {
        int size = Math.min(length, buffers.bufferSize());
        if (size > buffers.bufferSize() / 2) {
            return cut(new Whole(buffers.allocateBuffer()), size);
        }
        synchronized (this) {
            if (current == null || current.buffer.capacity() - current.end < size) {
                current = new Whole(buffers.allocateBuffer()); // the former one ends with its last piece
            }
            return cut(current, size);
        }
    }

    private Piece cut(Whole whole, int size) {
        return new Piece(whole, whole.cut(size));
    }

    private synchronized void ended(Whole whole) {
        whole.pieces--;
        if (whole.pieces > 0) {
            return;
        }
        if (whole == current) {
            current = null;
        }
        try {
            buffers.freeBuffer(whole.buffer);
        } catch (IOException e) {
            throw new IllegalStateException("a buffer of the store's own cannot be given back", e);
        }
    }
}

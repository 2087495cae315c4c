/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A ring buffer of bytes for one producer and one consumer, in memory that two processes map, without a lock or a call
 * of the system (Lamport, Proving the Correctness of Multiprocess Programs, 1977). Positions count bytes since the
 * beginning of the connection. Each word has cache lines of its own, in pairs, as neighbours are fetched together. The
 * other process can write to all of it, so nothing that is read here is to be trusted.
 *
 * <p>Who is going to sleep sets a mark and looks once more; who has written or read looks for the other's mark, and
 * takes it: as there is a full fence between the two steps of each, one of them notices (Dekker). Thread safe for one
 * thread that writes and one that reads.
 */
final class ByteRing {
    /** How many bytes may be on the way. */
    static final int CAPACITY_BYTES = 64 * 1024;

    private static final int WRITTEN_OFFSET = 0;
    private static final int READ_OFFSET = 128;
    private static final int READER_SLEEPS_OFFSET = 256;
    private static final int WRITER_WAITS_OFFSET = 384;
    private static final int DATA_OFFSET = 512;

    /** What a ring takes. */
    static final int TOTAL_BYTES = DATA_OFFSET + CAPACITY_BYTES;

    private static final VarHandle WORDS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer words;
    private final ByteBuffer data;

    /**
     * A ring in these {@link #TOTAL_BYTES} bytes, the first of which is aligned to a cache line; all are 0 before the
     * first end is made.
     */
    ByteRing(ByteBuffer memory) {
        this.words = memory;
        this.data = memory.slice(DATA_OFFSET, CAPACITY_BYTES);
    }

    /**
     * A view of the bytes from a position on, up to the end of the ring's memory at most; each caller has a buffer of
     * its own, as {@link #view()}.
     */
    static ByteBuffer window(ByteBuffer view, long position, int length) {
        int begin = (int) (position & (CAPACITY_BYTES - 1));
        return view.limit(Math.min(CAPACITY_BYTES, begin + length)).position(begin);
    }

    /** A buffer for {@link #window}. */
    ByteBuffer view() {
        return data.duplicate();
    }

    long written() {
        return (long) WORDS.getAcquire(words, WRITTEN_OFFSET);
    }

    /** Lets the reader see what has been written before; whether it sleeps, and has to be woken. */
    boolean publish(long position) {
        WORDS.setRelease(words, WRITTEN_OFFSET, position);
        return takeMark(READER_SLEEPS_OFFSET);
    }

    long read() {
        return (long) WORDS.getAcquire(words, READ_OFFSET);
    }

    /** Gives the writer what has been read before; whether it waits for that, and has to be woken. */
    boolean free(long position) {
        WORDS.setRelease(words, READ_OFFSET, position);
        return takeMark(WRITER_WAITS_OFFSET);
    }

    /** Takes a mark of the other end, after what this one has just stored; whether there was one. */
    private boolean takeMark(int mark) {
        VarHandle.fullFence();
        boolean isMarked = (long) WORDS.getOpaque(words, mark) != 0;
        if (isMarked) {
            WORDS.setOpaque(words, mark, 0L);
        }
        return isMarked;
    }

    /** Says whether the reader wants to be woken; it looks again after it has said yes. */
    void readerSleeps(boolean isAsleep) {
        mark(READER_SLEEPS_OFFSET, isAsleep);
    }

    /** Says that the writer wants to be woken when there is room; it looks again afterwards. */
    void writerWaits() {
        mark(WRITER_WAITS_OFFSET, true);
    }

    private void mark(int mark, boolean isSet) {
        WORDS.setOpaque(words, mark, isSet ? 1L : 0L);
        if (isSet) {
            VarHandle.fullFence();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps writes of earlier allocations out of the blocks of a region. It knows the highest epoch seen for each block,
 * how many socket receives write to it at this moment, and since which epoch none of a lower one can be among them: a
 * higher epoch is admitted only when no byte of a lower one can come from a socket any more, which is waited for once
 * in each epoch; those of one epoch, who write to different parts of a block, do not wait for each other. Its words may
 * lie in a mapped file that several processes see; once that has been cut short, methods throw the {@link
 * InternalError} that the JVM makes of it. Thread safe, between processes too.
 */
public final class BlockFence {
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int EPOCH = 0;
    private static final int WRITERS = Long.BYTES;
    private static final int CLEARED = 2 * Long.BYTES;

    /** One word more than needed, so that no block's words lie in two cache lines where the memory begins with one. */
    private static final int BYTES_PER_BLOCK = 4 * Long.BYTES;

    /** Takes as long as a write to memory, roughly; one to a disk may take much longer. */
    private static final int YIELDS = 100;

    private static final long PAUSE_NS = 100_000;

    private final ByteBuffer words;

    /**
     * Uses memory that is all zeros or holds what another fence of the same blocks has put there, aligned to a block's
     * words.
     */
    BlockFence(ByteBuffer words) {
        this.words = words;
    }

    /** A fence that only this process sees. */
    public static BlockFence inProcess(int blocks) {
        ByteBuffer words = ByteBuffer.allocateDirect(Math.toIntExact(bytes(blocks + 1L)));
        return new BlockFence(words.alignedSlice(BYTES_PER_BLOCK)); // which may cut as much as a block's words off
    }

    /** The memory that a fence needs. */
    static long bytes(long blocks) {
        return blocks * BYTES_PER_BLOCK;
    }

    /**
     * Whether transfers of this epoch are admitted; they are unless a higher one has been. The first time in an epoch,
     * waits for those who write, of whichever epoch, as it is not known whether somebody raised the epoch without
     * waiting.
     */
    public boolean admit(int block, long epoch) {
        if (!raise(block, epoch)) {
            return false;
        }
        if (!isCleared(block, epoch)) {
            awaitWriters(block);
            noteCleared(block, epoch);
        }
        return true;
    }

    /** As {@link #admit}, but instead of waiting answers false for as long as somebody with a lower epoch may write. */
    boolean tryClear(int block, long epoch) {
        if (isCleared(block, epoch)) {
            return true;
        }
        if (isBeingWritten(block)) {
            return false;
        }
        noteCleared(block, epoch);
        return true;
    }

    /**
     * Whether nobody writes with an epoch below a present or former one: who has entered since, did so with this or a
     * higher one.
     */
    private boolean isCleared(int block, long epoch) {
        return (long) WORD.getVolatile(words, index(block, CLEARED)) >= epoch;
    }

    /** To be called by those who have raised the epoch and found nobody writing since. */
    private void noteCleared(int block, long epoch) {
        long known = (long) WORD.getVolatile(words, index(block, CLEARED));
        MemoryFaults.raise(); // as in lookFor
        while (known < epoch && !WORD.compareAndSet(words, index(block, CLEARED), known, epoch)) {
            known = (long) WORD.getVolatile(words, index(block, CLEARED));
        }
    }

    /** As {@link #admit}, but does not wait for those who write; for reads, and for writes that {@link #tryClear}. */
    public boolean raise(int block, long epoch) {
        long seen = lookFor(block, epoch);
        while (seen < epoch) {
            if (WORD.compareAndSet(words, index(block, EPOCH), seen, epoch)) {
                return true;
            }
            seen = seen(block);
        }
        return seen == epoch;
    }

    /**
     * Nobody enters with a lower epoch any more, and who has entered leaves after one read of a socket into memory, or
     * one write of a piece to a disk. As the latter may take its time, the thread sleeps a little after some looks.
     */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
    private void awaitWriters(int block) {
        for (int looks = 0; isBeingWritten(block); looks++) {
            MemoryFaults.raise(); // nobody can leave what has gone
            if (looks < YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(this, PAUSE_NS);
            }
        }
    }

    /**
     * Begins to write bytes of this epoch, unless a higher one has been admitted; to be ended soon, by {@link #leave}.
     */
    public boolean enter(int block, long epoch) {
        if (!isCurrent(block, epoch)) {
            return false;
        }
        WORD.getAndAdd(words, index(block, WRITERS), 1L);
        if (isCurrent(block, epoch)) {
            return true;
        }
        leave(block, epoch);
        return false;
    }

    /** Ends what {@link #enter} began in this epoch. */
    public void leave(int block, long epoch) {
        lookFor(block, epoch); // a higher one is no hindrance
        WORD.getAndAdd(words, index(block, WRITERS), -1L);
    }

    /** Whether somebody has entered and not left. */
    private boolean isBeingWritten(int block) {
        return (long) WORD.getVolatile(words, index(block, WRITERS)) > 0;
    }

    /** Whether no higher epoch has been admitted. */
    public boolean isCurrent(int block, long epoch) {
        return lookFor(block, epoch) == epoch;
    }

    /**
     * The highest epoch that has been admitted. If it is not this one, it may be nothing: the error of memory that has
     * gone comes up now, before a word is changed there, which not every JVM survives.
     */
    private long lookFor(int block, long epoch) {
        long seen = seen(block);
        if (seen != epoch) {
            MemoryFaults.raise();
        }
        return seen;
    }

    /** The highest epoch that has been admitted. */
    public long seen(int block) {
        return (long) WORD.getVolatile(words, index(block, EPOCH));
    }

    private static int index(int block, int word) {
        return block * BYTES_PER_BLOCK + word;
    }
}

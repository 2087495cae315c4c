/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.apache.crail.error.CrailException;

/**
 * How far the writes of one stream have been completed without a gap: writes end in any order, but the file only grows
 * up to the first one that has not ended, or has failed. Thread safe.
 */
final class WriteProgress {
    private final Deque<Write> writes = new ArrayDeque<>();
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private final LongConsumer onGrown;
    private long capacity;
    private boolean untouched = true;
    private CrailException failure;

    /**
     * Makes one without writes.
     *
     * @param capacity where the first write begins
     * @param onGrown told the new capacity, with this object's monitor held
     */
    WriteProgress(long capacity, LongConsumer onGrown) {
        this.capacity = capacity;
        this.onGrown = onGrown;
    }

    /** One write. */
    static final class Write {
        private final long end;
        private boolean ended;
        private boolean failed;

        private Write(long end) {
            this.end = end;
        }
    }

    private record Waiter(long position, CompletableFuture<Void> reached) {}

    /** A write begins where the previous one ends. */
    synchronized Write begin(long end) {
        untouched = false;
        Write write = new Write(end);
        writes.add(write);
        return write;
    }

    /** A write has ended; the failure is null after success. */
    void end(Write write, CrailException writeFailure) {
        List<Waiter> done = new ArrayList<>(0);
        CrailException why;
        long now;
        synchronized (this) {
            write.ended = true;
            write.failed = writeFailure != null;
            failure = failure == null ? writeFailure : failure;
            grow();
            takeWaiters(done);
            why = failure;
            now = capacity;
        }
        for (Waiter waiter : done) {
            if (waiter.position <= now) {
                waiter.reached.complete(null);
            } else {
                waiter.reached.completeExceptionally(why);
            }
        }
    }

    private void grow() {
        long before = capacity;
        while (!writes.isEmpty() && writes.peek().ended && !writes.peek().failed) {
            capacity = writes.remove().end;
        }
        if (capacity != before) {
            onGrown.accept(capacity);
        }
    }

    private void takeWaiters(List<Waiter> done) {
        while (!waiters.isEmpty() && (waiters.peek().position <= capacity || isStuck())) {
            done.add(waiters.remove());
        }
    }

    private boolean isStuck() {
        return !writes.isEmpty() && writes.peek().failed;
    }

    /** Completes when everything before {@code position} has been written; fails if it never will be. */
    synchronized CompletableFuture<Void> reached(long position) {
        if (position <= capacity) {
            return CompletableFuture.completedFuture(null);
        }
        if (isStuck()) {
            return CompletableFuture.failedFuture(failure);
        }
        Waiter waiter = new Waiter(position, new CompletableFuture<>());
        waiters.add(waiter);
        return waiter.reached;
    }

    /** End of what has been written without a gap. */
    synchronized long capacity() {
        return capacity;
    }

    /** Whether no write was ever begun. */
    synchronized boolean isUntouched() {
        return untouched;
    }

    /** Why a write failed, the first one that did; null if none has. */
    synchronized CrailException failure() {
        return failure;
    }
}

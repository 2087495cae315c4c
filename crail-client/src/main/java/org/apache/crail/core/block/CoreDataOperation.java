/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.crail.CrailResult;
import org.apache.crail.core.call.Callbacks;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.storage.Advanceable;

/**
 * A read or write in flight, made of one transfer per block. Completes when all of them have ended, with the first
 * failure if one failed. Cannot be cancelled, as hardware may be using the buffer. Thread safe.
 */
public class CoreDataOperation extends CompletableFuture<CrailResult> implements CrailResult {
    private final CoreIOStatistics statistics;
    private final Object path;
    private final long length;
    private final boolean write;
    private int partsLeft;
    private CrailException failure;
    private volatile boolean hasBegun;
    private final AtomicReference<Advanceable> latest = new AtomicReference<>();

    /**
     * Makes an operation.
     *
     * @param statistics of its direction
     * @param path whose text appears in messages
     * @param length in bytes
     * @param parts number of transfers
     */
    public CoreDataOperation(CoreIOStatistics statistics, Object path, long length, int parts, boolean write) {
        this.statistics = statistics;
        this.path = path;
        this.length = length;
        this.partsLeft = parts;
        this.write = write;
    }

    final Object path() {
        return path;
    }

    final boolean isWrite() {
        return write;
    }

    final CoreIOStatistics statistics() {
        return statistics;
    }

    /** One transfer has begun; who waits for the operation may bring the latest one forward. */
    final void began(Future<?> transfer) {
        hasBegun = true;
        if (transfer instanceof Advanceable advanceable) {
            Advanceable before = latest.getAndSet(advanceable);
            if (before != null) {
                before.leave();
            }
        }
    }

    /** Whether any transfer has begun. */
    protected final boolean hasBegun() {
        return hasBegun;
    }

    /** One transfer has ended and does not use the buffer any more. */
    final void partDone(CrailException partFailure) {
        CrailException result;
        synchronized (this) {
            if (failure == null) {
                failure = partFailure;
            }
            partsLeft--;
            if (partsLeft > 0) {
                return;
            }
            failure = failure == null ? verified() : failure;
            result = failure;
        }
        ended(result);
        Callbacks.enter();
        try {
            if (result == null) {
                complete(this);
            } else {
                completeExceptionally(result);
            }
        } finally {
            Callbacks.leave();
        }
        shown();
    }

    /** Called once, when all transfers have succeeded: why the result is none all the same; null if it is one. */
    protected CrailException verified() {
        return null;
    }

    /** Called once, before the result shows; the failure is null after success. */
    protected void ended(CrailException result) {
        // For streams.
    }

    /** Called once, after the result shows, so that who waits for the end of operations finds them done. */
    protected void shown() {
        // For streams.
    }

    @Override
    public long getLen() {
        return length;
    }

    @Override
    public final CrailResult get() throws InterruptedException, ExecutionException {
        long ignored = Surroundings.beforeWait(this, Long.MAX_VALUE);
        advance(this, Long.MAX_VALUE);
        return super.get();
    }

    @Override
    public final CrailResult get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        long limitNs = Surroundings.beforeWait(this, unit.toNanos(timeout));
        advance(this, limitNs);
        return super.get(limitNs, TimeUnit.NANOSECONDS);
    }

    /**
     * Brings what is under way forward, for a thread that is going to wait for this operation, or for it and others.
     */
    public final void advance(Future<?> awaited, long limitNs) {
        Advanceable transfer = latest.get();
        if (transfer != null) {
            transfer.advance(awaited, limitNs);
        }
    }

    @Override
    public final String toString() {
        return (write ? "writing " : "reading ") + length + " bytes of " + path;
    }

    /** Does nothing. */
    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        return false;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.rpc.client.PendingCall;

/**
 * An operation in flight that takes several calls and transfers. A thread that waits for it works for the answers
 * meanwhile, and does what follows from those that it has asked for. As transfers may be using the caller's memory,
 * nobody but the operation itself can complete it: limits of time act on copies, all else does nothing. Thread safe.
 */
public final class ValueOperation<T> extends CompletableFuture<T> {
    private final MetadataCalls calls;
    private final Object what;
    private volatile PendingCall<?> latest;

    /**
     * Makes one that somebody else completes.
     *
     * @param what whose text says what is done to what
     */
    public ValueOperation(MetadataCalls calls, Object what) {
        this.calls = calls;
        this.what = what;
    }

    /** A call has been made, whose answer is to be waited for. */
    public void follows(PendingCall<?> asked) {
        latest = asked;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        advance(Surroundings.beforeWait(this, Long.MAX_VALUE));
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long limitNs = Surroundings.beforeWait(this, unit.toNanos(timeout));
        long beginNs = Surroundings.nanoTime();
        advance(limitNs);
        return super.get(limitNs - (Surroundings.nanoTime() - beginNs), TimeUnit.NANOSECONDS);
    }

    @Override
    public T join() {
        advance(Surroundings.beforeWait(this, Long.MAX_VALUE));
        return super.join();
    }

    /** Waits for the calls one after the other, and then for what is left. */
    private void advance(long limitNs) {
        if (Callbacks.isInside()) {
            return; // this thread may have to complete what it would wait for
        }
        PendingCall<?> former = null;
        PendingCall<?> asked = latest;
        while (!isDone() && asked != null && asked != former) {
            calls.advance(asked, asked, limitNs);
            former = asked;
            asked = latest;
        }
        if (!isDone()) {
            calls.advance(this, null, limitNs);
        }
    }

    /** Ends the operation, with a failure unless that is null. */
    public void end(T result, Throwable failure) {
        if (failure == null) {
            super.complete(result);
        } else {
            super.completeExceptionally(failure);
        }
    }

    @Override
    public String toString() {
        return what.toString();
    }

    /** Gives a copy with a limit. */
    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        return copy().orTimeout(timeout, unit);
    }

    /** Gives a copy with a limit. */
    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
        return copy().completeOnTimeout(value, timeout, unit);
    }

    /** Does nothing. */
    @Override
    public boolean complete(T value) {
        return false;
    }

    /** Does nothing. */
    @Override
    public boolean completeExceptionally(Throwable failure) {
        return false;
    }

    /** Does nothing. */
    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        return this;
    }

    /** Does nothing. */
    @Override
    public void obtrudeValue(T value) {}

    /** Does nothing. */
    @Override
    public void obtrudeException(Throwable failure) {}

    /** Does nothing. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return false;
    }
}

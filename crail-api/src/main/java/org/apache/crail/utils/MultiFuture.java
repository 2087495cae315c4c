/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.utils;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for several futures and adds up their results. It is done when all are done, failed ones too; if any failed,
 * {@code get} throws the first failure. All methods are thread safe; {@link #aggregate} and {@link #completeOperation}
 * are called with the monitor of this object held.
 *
 * @param <R> what the futures give
 * @param <T> what they add up to
 */
public abstract class MultiFuture<R, T> implements Future<T> {
    @GuardedBy("this")
    private final Queue<Future<R>> pending = new ArrayDeque<>();

    @GuardedBy("this")
    private ExecutionException failure;

    @GuardedBy("this")
    private boolean completed;

    /** Makes one that waits for nothing. */
    public MultiFuture() {}

    /** Adds the result of one future. */
    public abstract void aggregate(R result);

    /** What the results so far add up to. */
    public abstract T getAggregate();

    /** Adds a future to wait for; called before this object is shared. */
    public synchronized void add(Future<R> future) {
        pending.add(future);
    }

    /** Called once, when all futures are done; does nothing here. */
    public void completeOperation() {}

    @Override
    public synchronized boolean isDone() {
        try {
            while (!pending.isEmpty() && pending.peek().isDone()) {
                Future<R> done = pending.remove();
                collect(done);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("a future that is done must not wait", e);
        }
        return complete();
    }

    @GuardedBy("this")
    private boolean complete() {
        if (!pending.isEmpty()) {
            return false;
        }
        if (!completed) {
            completed = true;
            completeOperation();
        }
        return true;
    }

    @GuardedBy("this")
    private void collect(Future<R> done) throws InterruptedException {
        try {
            aggregate(done.get());
        } catch (ExecutionException e) {
            failure = failure == null ? e : failure;
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        for (Future<R> next = next(); next != null; next = next()) {
            try {
                next.get();
            } catch (ExecutionException e) {
                // collected by next()
            }
        }
        return result();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long deadlineNs = System.nanoTime() + unit.toNanos(timeout);
        for (Future<R> next = next(); next != null; next = next()) {
            try {
                next.get(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                // collected by next()
            }
        }
        return result();
    }

    /** The first future that is not done, or null. */
    private synchronized Future<R> next() {
        return isDone() ? null : pending.peek();
    }

    private synchronized T result() throws ExecutionException {
        if (failure != null) {
            throw failure;
        }
        return getAggregate();
    }

    /** Never cancels. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return false;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }
}

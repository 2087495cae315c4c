/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.Response;

/**
 * A request whose answer has not arrived. While the thread that has asked looks for the answer, whoever takes that from
 * the connection only leaves it here, so that what is chained to the call happens in the thread that has asked. The id
 * is set each time the call gets a place in the window. Thread safe.
 *
 * @param <R> the answer
 */
public final class PendingCall<R extends Response> extends CompletableFuture<R> {
    static final long NO_ID = 0;

    private static final Object WATCHED = new Object();

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<PendingCall, Object> LEFT =
            AtomicReferenceFieldUpdater.newUpdater(PendingCall.class, Object.class, "left");

    private final Thread asker = Thread.currentThread();
    private final long askedNs;
    final Request<R> request;

    /** Not after the request was sent under its id. Guarded by the window. */
    long sentNs;

    /** Guarded by the window. */
    long deadlineNs;

    /** Guarded by the window. */
    long requestId = NO_ID;

    /** That the namenode is to be asked again, or has been; null if it has not said so. Guarded by the window. */
    Postponement postponement;

    private volatile Object left; // nothing, or that somebody looks, or what was left for it

    PendingCall(Request<R> request, long askedNs, long limitMs) {
        this.request = request;
        this.askedNs = askedNs;
        this.sentNs = askedNs;
        this.deadlineNs = askedNs + TimeUnit.MILLISECONDS.toNanos(limitMs);
    }

    /** How much later than the first request that one was sent which has been answered, in nanoseconds. */
    public long delayNs() {
        return sentNs - askedNs;
    }

    /** The limit of the call, with the time that it got as it was put off. */
    long limitMs() {
        return TimeUnit.NANOSECONDS.toMillis(deadlineNs - askedNs);
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    /**
     * Begins to look for the answer, until {@link #endWatch}; false for a thread that has not asked, or looks already.
     */
    public boolean beginWatch() {
        return asker == Thread.currentThread() && LEFT.compareAndSet(this, null, WATCHED);
    }

    /** Ends the call here if its answer has been left for who looks. */
    public void look() {
        if (left != WATCHED) {
            end(LEFT.getAndSet(this, WATCHED));
        }
    }

    /** Stops to look, and ends the call here if its answer has been left; a later one ends it in another thread. */
    public void endWatch() {
        end(LEFT.getAndSet(this, null));
    }

    /** Leaves the answer, or a failure, for the thread that looks for it; false if none does. */
    boolean leave(Object outcome) {
        return left == WATCHED && LEFT.compareAndSet(this, WATCHED, outcome);
    }

    /**
     * Ends the call at its limit: with its answer if that lies here and nobody has looked since, otherwise with the
     * failure.
     */
    void expire(CrailException failure) {
        Object lying = left;
        end(lying == null || lying == WATCHED ? failure : lying);
    }

    /** Ends the call with an answer or a failure; with neither it goes on. */
    @SuppressWarnings("unchecked") // it has been decoded as the request says
    void end(Object outcome) {
        if (outcome instanceof CrailException failure) {
            completeExceptionally(failure);
        } else if (outcome != null && outcome != WATCHED) {
            complete((R) outcome);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.crail.CrailPath;
import org.apache.crail.core.call.Callbacks;
import org.apache.crail.core.call.ValueOperation;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.rpc.client.PendingCall;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call for a value: waits for room, then makes as many attempts as it takes until no node is replaced or deleted
 * under way, for as long as an operation may take. One thread at a time works on it, which thread may change.
 */
final class ValueCall<T> implements BiConsumer<T, Throwable> {
    private static final Logger LOG = LoggerFactory.getLogger(ValueCall.class);

    private final ValueCalls owner;
    private final String deed;
    private final CrailPath path;
    private final Function<ValueCall<T>, CompletableFuture<T>> attempt;
    private final ValueOperation<T> result;
    private long heldBytes;
    private long endNs;

    /**
     * Makes one that is to be begun.
     *
     * @param deed what is done to the path, for messages
     * @param heldBytes that it holds from the beginning on
     * @param attempt makes one attempt, which uses no memory any more when it has ended
     */
    ValueCall(
            ValueCalls owner,
            String deed,
            CrailPath path,
            long heldBytes,
            Function<ValueCall<T>, CompletableFuture<T>> attempt) {
        this.owner = owner;
        this.deed = deed;
        this.path = path;
        this.heldBytes = heldBytes;
        this.attempt = attempt;
        this.result = new ValueOperation<>(owner.metadata(), this);
    }

    /** Begins when there is room, for which the thread waits where it may. */
    ValueOperation<T> begin(CompletableFuture<Void> room) {
        if (room == CoreStream.READY) {
            first();
        } else {
            awaitRoom(room);
        }
        return result;
    }

    private void awaitRoom(CompletableFuture<Void> room) {
        try {
            if (!Callbacks.isInside()) { // which may have to end what takes the room
                owner.metadata().await("waiting for room for another call", room);
            }
        } catch (IOException e) {
            LOG.trace("{} begins when there is room, for which its thread does not wait", this, e);
        } finally {
            CompletableFuture<?> ignored = room.thenRun(this::first);
        }
    }

    private void first() {
        endNs = Surroundings.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(owner.metadata().settings().operationTimeoutMs());
        tryOnce();
    }

    private void tryOnce() {
        CompletableFuture<T> one;
        try {
            one = attempt.apply(this);
        } catch (RuntimeException | Error e) { // nobody must wait for ever
            one = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<T> ignored = one.whenComplete(this);
    }

    /** A call to the namenode has been made, whose answer is to be waited for. */
    void follows(PendingCall<?> asked) {
        result.follows(asked);
    }

    /** Takes room for the bytes that this attempt is going to hold, in the place of those of the one before. */
    CompletableFuture<Void> hold(long size) {
        if (heldBytes > 0) {
            owner.bound().release(heldBytes);
        }
        heldBytes = size;
        return owner.bound().hold(size);
    }

    @Override
    public void accept(T value, Throwable failure) {
        CrailException typed = failure == null ? null : Waiting.typed(toString(), failure);
        if (typed != null && typed.code() == ErrorCode.STALE_NODE && Surroundings.nanoTime() - endNs < 0) {
            tryOnce();
            return;
        }
        owner.bound().leave(heldBytes);
        Callbacks.enter();
        try {
            result.end(value, typed);
        } finally {
            Callbacks.leave();
            owner.ended();
        }
    }

    @Override
    public String toString() {
        return deed + " " + path;
    }
}

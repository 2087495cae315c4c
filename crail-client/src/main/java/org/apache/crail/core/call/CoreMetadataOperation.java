/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.apache.crail.Upcoming;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.rpc.client.PendingCall;

/**
 * An operation on the namespace in flight. What has to follow the namenode's answer happens when the answer arrives, on
 * the transport's thread or in one that waits for what it has asked, whether or not anybody asks for the result. Cannot
 * be cancelled. Thread safe.
 *
 * @param <R> what the namenode answers
 * @param <T> the result
 */
public abstract class CoreMetadataOperation<R, T> extends CompletableFuture<T>
        implements Upcoming<T>, BiConsumer<R, Throwable> {
    private final MetadataCalls calls;
    private PendingCall<?> call; // null if the result is put together of several, and at the end

    /** Makes an operation; its request is to be sent now. */
    protected CoreMetadataOperation(MetadataCalls calls) {
        this.calls = calls;
        calls.operations().begin();
    }

    /** Ends with the answer of a call, which has just been sent. */
    public final void follow(PendingCall<? extends R> asked) {
        call = asked;
        CompletableFuture<?> ignored = asked.whenComplete(this);
    }

    /**
     * How much later than the operation began the request was sent that has been answered; of use until the operation
     * ends.
     */
    protected final long delayNs() {
        return call == null ? 0 : call.delayNs();
    }

    /** Does what follows a successful answer and tells the result. Must not block. */
    protected abstract T succeeded(R response) throws CrailException;

    /** Whether a failure only means that there is nothing, so that the result is null. */
    protected abstract boolean meansNothing(ErrorCode code);

    @Override
    public final void accept(R response, Throwable failure) {
        Callbacks.enter();
        try {
            if (failure == null) {
                complete(succeeded(response));
            } else {
                failed(Waiting.typed(toString(), failure));
            }
        } catch (CrailException e) {
            completeExceptionally(e);
        } catch (RuntimeException | Error e) {
            // Neither a defect nor a lack of memory must leave the caller waiting for ever.
            completeExceptionally(new InternalErrorException(this + " failed: " + e, e));
        } finally {
            Callbacks.leave();
            call = null; // who keeps the operation need not keep that
            calls.operations().end();
        }
    }

    private void failed(CrailException failure) {
        if (meansNothing(failure.code())) {
            complete(null);
        } else {
            completeExceptionally(failure);
        }
    }

    @Override
    public T early() throws Exception {
        return get();
    }

    @Override
    public final T get() throws InterruptedException, ExecutionException {
        long ignored = Surroundings.beforeWait(this, Long.MAX_VALUE);
        calls.router().await(this, call, Long.MAX_VALUE);
        return super.get();
    }

    @Override
    public final T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long limitNs = Surroundings.beforeWait(this, unit.toNanos(timeout));
        long beginNs = Surroundings.nanoTime();
        calls.router().await(this, call, limitNs);
        return super.get(limitNs - (Surroundings.nanoTime() - beginNs), TimeUnit.NANOSECONDS);
    }

    /** Does nothing. */
    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        return false;
    }

    @Override
    public final CompletableFuture<T> toCompletableFuture() {
        CompletableFuture<T> stage = new CompletableFuture<>();
        whenComplete((result, failure) -> {
            if (failure == null) {
                stage.complete(result);
            } else {
                stage.completeExceptionally(failure);
            }
        });
        return stage;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.netty.SharedEventLoop;
import org.apache.crail.storage.Advanceable;

/**
 * A read or write that has not completed. Completed by who turns its endpoint's loop, which may be a thread that waits
 * for it, or by the caller if it copied the bytes itself.
 */
final class Transfer extends CompletableFuture<Integer> implements Advanceable {
    /** An answer that comes in one piece within a host, as a rule; others are better left to grow. */
    private final SharedEventLoop loop;

    private boolean isCounted; // for the thread that runs the loop
    final boolean isWrite;
    final BlockInfo block;
    final int offset;
    final int length;
    final long deadlineNs;

    /** The user's bytes, from 0 to the capacity. */
    final ByteBuffer bytes;

    /** Makes one; the loop is null if waiting threads cannot turn it. */
    Transfer(SharedEventLoop loop, boolean isWrite, BlockInfo block, int offset, ByteBuffer bytes, long deadlineNs) {
        this.loop = loop;
        this.isWrite = isWrite;
        this.block = block;
        this.offset = offset;
        this.bytes = bytes;
        this.length = bytes.capacity();
        this.deadlineNs = deadlineNs;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    @Override
    public void advance(Future<?> awaited, long limitNs) {
        if (loop != null && !awaited.isDone()) {
            loop.advance(awaited::isDone, limitNs);
        }
    }

    @Override
    public void leave() {
        if (loop != null && !isDone()) {
            loop.claim();
        }
    }

    /** From now on it is completed by the thread that runs the loop. */
    void accepted() {
        if (loop != null) {
            isCounted = true;
            loop.count(1);
        }
    }

    private void ended() {
        if (isCounted) {
            isCounted = false;
            loop.count(-1);
        }
    }

    @Override
    public Integer get() throws InterruptedException, ExecutionException {
        advance(this, Long.MAX_VALUE);
        return super.get();
    }

    @Override
    public Integer get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        advance(this, unit.toNanos(timeout));
        return super.get(timeout, unit);
    }

    boolean isLate(long nowNs) {
        return deadlineNs - nowNs <= 0;
    }

    void succeed() {
        ended();
        complete(length);
    }

    /** Fails with an exception of the same type that says which transfer failed. */
    void fail(CrailException reason) {
        ended();
        completeExceptionally(reason.again(this + ": " + reason.getMessage()));
    }

    void failLate(long limitMs) {
        ended();
        completeExceptionally(new OperationTimeoutException(
                this + " did not finish within " + limitMs + " ms; check the datanode or raise crail.datatimeout"));
    }

    @Override
    public String toString() {
        return (isWrite ? "write" : "read") + " of " + length + " bytes at offset " + offset + " of " + block;
    }
}

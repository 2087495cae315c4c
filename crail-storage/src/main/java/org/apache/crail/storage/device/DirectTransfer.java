/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.device;

import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;

/**
 * A read or write that has not completed. It keeps the buffer, and with it its memory, alive. Completed by one thread.
 */
public class DirectTransfer extends CompletableFuture<Integer> {
    private final Range range;
    private Runnable atEnd; // null: nothing

    /**
     * What is transferred. Immutable.
     *
     * @param start index in the buffer
     * @param offset in the block
     * @param deadlineNs when it is late, by {@link System#nanoTime}
     */
    public record Range(
            boolean isWrite, BlockInfo block, long offset, CrailBuffer buffer, int start, int length, long deadlineNs) {
        @Override
        public String toString() {
            return (isWrite ? "write" : "read") + " of " + length + " bytes at offset " + offset + " of " + block;
        }
    }

    /** Begins a transfer. */
    public DirectTransfer(Range range) {
        this.range = range;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    /** What is transferred. */
    public Range range() {
        return range;
    }

    /** Where in the medium it begins. */
    public long remoteAddress() {
        return range.block().getAddr() + range.offset();
    }

    /** Whether its time is over. */
    public boolean isLate(long nowNs) {
        return range.deadlineNs() - nowNs <= 0;
    }

    /** Has something done once, when the device does not use the buffer any more, before the transfer completes. */
    public void atEnd(Runnable task) {
        Runnable former = atEnd;
        atEnd = former == null
                ? task
                : () -> {
                    former.run();
                    task.run();
                };
    }

    private void end() {
        Runnable tasks = atEnd;
        atEnd = null;
        if (tasks != null) {
            tasks.run();
        }
    }

    /** Completes it. */
    public void succeed() {
        end();
        complete(range.length());
    }

    /** Fails with an exception of the same type that says which transfer failed. */
    public void fail(CrailException reason) {
        end();
        completeExceptionally(reason.again(range + ": " + reason.getMessage()));
    }

    /** Fails because its time is over. */
    public void failLate(TransferLimits limits) {
        end();
        completeExceptionally(limits.late(range));
    }

    @Override
    public String toString() {
        return range.toString();
    }
}

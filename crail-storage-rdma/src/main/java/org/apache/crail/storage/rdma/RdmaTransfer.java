/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;

/** A read or write that has not completed. It keeps the buffer, and with it its memory, alive. Completed by one thread. */
final class RdmaTransfer extends CompletableFuture<Integer> {
    final boolean isWrite;
    final BlockInfo block;
    final CrailBuffer buffer;
    final int start;
    final int length;
    final long offset;
    final long deadlineNs;

    /** Of the memory of the buffer, for the connection that the transfer goes over. */
    int localKey;

    /**
     * Describes a transfer.
     *
     * @param start index in the buffer
     * @param offset in the block
     */
    RdmaTransfer(
            boolean isWrite, BlockInfo block, long offset, CrailBuffer buffer, int start, int length, long deadlineNs) {
        this.isWrite = isWrite;
        this.block = block;
        this.offset = offset;
        this.buffer = buffer;
        this.start = start;
        this.length = length;
        this.deadlineNs = deadlineNs;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    /** How much of the send queue it takes: a write is followed by a read. */
    int workRequests() {
        return isWrite ? 2 : 1;
    }

    long remoteAddress() {
        return block.getAddr() + offset;
    }

    boolean isLate(long nowNs) {
        return deadlineNs - nowNs <= 0;
    }

    void succeed() {
        complete(length);
    }

    /** Fails with an exception of the same type that says which transfer failed. */
    void fail(CrailException reason) {
        completeExceptionally(reason.code().exception(this + ": " + reason.getMessage(), reason));
    }

    void failLate(ClientSettings settings) {
        completeExceptionally(settings.late(this));
    }

    @Override
    public String toString() {
        return (isWrite ? "write" : "read") + " of " + length + " bytes at offset " + offset + " of " + block;
    }
}

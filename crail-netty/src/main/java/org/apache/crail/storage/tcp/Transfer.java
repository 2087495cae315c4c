/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.metadata.BlockInfo;

/** A read or write that has not completed. Completed on its endpoint's thread, or by the caller if it copied the bytes itself. */
final class Transfer extends CompletableFuture<Integer> {
    final boolean isWrite;
    final BlockInfo block;
    final int offset;
    final int length;
    final long deadlineNs;

    /** The user's bytes, from 0 to the capacity. */
    final ByteBuffer bytes;

    Transfer(boolean isWrite, BlockInfo block, int offset, ByteBuffer bytes, long deadlineNs) {
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

    void failLate(long limitMs) {
        completeExceptionally(new OperationTimeoutException(
                this + " did not finish within " + limitMs + " ms; check the datanode or raise crail.datatimeout"));
    }

    @Override
    public String toString() {
        return (isWrite ? "write" : "read") + " of " + length + " bytes at offset " + offset + " of " + block;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;

/**
 * Transfers between buffers and the blocks of one datanode, any number at a time, in no particular order. A transfer
 * moves exactly {@code buffer.remaining()} bytes from the buffer's position on, sets the position to the limit before
 * the call returns, and never touches a byte outside of position and limit. The buffer belongs to the transfer until
 * its future completes. Futures fail with: BlockBoundsException when the range leaves the block, StaleBlockException,
 * DatanodeUnreachableException, StorageFailureException, OperationTimeoutException (after {@code crail.datatimeout}),
 * ClosedException. They may be {@link Advanceable}. Methods are thread safe.
 */
public interface StorageEndpoint extends AutoCloseable {
    /** Copies bytes of the block, from {@code offset} in it on, into the buffer; the result is their number. */
    CompletableFuture<Integer> read(CrailBuffer buffer, BlockInfo block, long offset);

    /** Copies the buffer's bytes into the block, from {@code offset} in it on; the result is their number. */
    CompletableFuture<Integer> write(CrailBuffer buffer, BlockInfo block, long offset);

    /** Whether {@link #copy} probably can be used for a block. Does not wait. */
    default boolean isMapped(BlockInfo block) {
        return false;
    }

    /**
     * Copies bytes between any memory, also on the heap, and a block on the calling thread, if the block's memory is
     * mapped here.
     *
     * @param bytes from its position to its limit, which do not change
     * @param offset in the block
     * @return whether it was done; if not, nothing is wrong, or {@link #read} and {@link #write} tell what is
     * @throws CrailException StaleBlockException, or DatanodeUnreachableException when the memory vanished; some bytes
     *     may have been copied
     */
    default boolean copy(boolean isWrite, ByteBuffer bytes, BlockInfo block, long offset) throws CrailException {
        return false;
    }

    /** Whether transfers are memory copies on this host. */
    boolean isLocal();

    /** Ends the connection; pending transfers fail. */
    @Override
    void close();
}

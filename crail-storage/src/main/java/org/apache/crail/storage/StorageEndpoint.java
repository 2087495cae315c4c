/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage;

import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.metadata.BlockInfo;

/**
 * Transfers between buffers and the blocks of one datanode, any number at a time, in no particular order. A transfer
 * moves exactly {@code buffer.remaining()} bytes from the buffer's position on, sets the position to the limit before the
 * call returns, and never touches a byte outside of position and limit. The buffer belongs to the transfer until its
 * future completes. Futures fail with: BlockBoundsException when the range leaves the block, StaleBlockException,
 * DatanodeUnreachableException, StorageFailureException, OperationTimeoutException (after {@code crail.datatimeout}),
 * ClosedException. They may be {@link Advanceable}. Methods are thread safe.
 */
public interface StorageEndpoint extends AutoCloseable {
    /** Copies bytes of the block, from {@code offset} in it on, into the buffer; the result is their number. */
    CompletableFuture<Integer> read(CrailBuffer buffer, BlockInfo block, long offset);

    /** Copies the buffer's bytes into the block, from {@code offset} in it on; the result is their number. */
    CompletableFuture<Integer> write(CrailBuffer buffer, BlockInfo block, long offset);

    /** Whether transfers are memory copies on this host. */
    boolean isLocal();

    /** Ends the connection; pending transfers fail. */
    @Override
    void close();
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * An asynchronous stream over a file: each call gives a future, and any number may be in flight. One thread at a time
 * may call; futures may be asked by any thread.
 */
@SuppressWarnings("try") // close may be interrupted, as it always could
public interface CrailInputStream extends AutoCloseable {
    /** The file that is read. */
    CrailNode getFile();

    /**
     * Reads from the stream's position into the buffer's remaining space, as much as there is in the file. The position
     * advances at once, and the buffer's position is at its limit when the call returns, with the limit lowered if the
     * file ends before. The buffer must not be touched until the future is done.
     *
     * @return null at the end of the file; the number of bytes, 0 only if the buffer has no space left
     * @throws Exception {@link org.apache.crail.error.ClosedException} if the stream is closed
     */
    Future<CrailResult> read(CrailBuffer dataBuf) throws Exception;

    /**
     * Moves the position.
     *
     * @throws IOException if {@code pos} is negative or behind the end of the file
     */
    void seek(long pos) throws IOException;

    /**
     * Bytes from the position to the end of the file, at most {@link Integer#MAX_VALUE}. A key-value that was empty may
     * have been looked up during its first put: each call asks the namenode whether that is complete, and waits for the
     * answer. The object that puts it knows, and does not ask.
     *
     * @throws java.io.UncheckedIOException if that cannot be learnt; its cause is a
     *     {@link org.apache.crail.error.StaleNodeException} if the key-value has been replaced or deleted
     */
    int available();

    /** Offset in the file of the next byte that is read. */
    long position();

    /**
     * Waits for operations in flight, whatever becomes of them, and closes the stream. Closing a closed stream does
     * nothing.
     */
    @Override
    void close() throws Exception;

    /**
     * As {@link #close}, without waiting: completes when the stream has been closed, with the failure that close would
     * throw. This default waits.
     */
    default CompletableFuture<Void> closeAsync() {
        try {
            close();
            return CompletableFuture.completedFuture(null);
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}

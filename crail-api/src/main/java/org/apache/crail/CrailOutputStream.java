/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * An asynchronous stream that appends to a file: each call gives a future, and any number may be in flight. One thread
 * at a time may call; futures may be asked by any thread.
 */
@SuppressWarnings("try") // close may be interrupted, as it always could
public interface CrailOutputStream extends AutoCloseable {
    /** The file that is written. */
    CrailNode getFile();

    /**
     * Writes the buffer's remaining bytes at the stream's position. The position advances at once, and the buffer's
     * position is at its limit when the call returns. The buffer must not be touched until the future is done. Others
     * see the bytes after {@link #sync} or {@link #close}.
     *
     * @return the number of bytes
     * @throws Exception {@link org.apache.crail.error.ClosedException} if the stream is closed
     */
    Future<CrailResult> write(CrailBuffer dataBuf) throws Exception;

    /**
     * Makes what has been written visible to others, as soon as the writes that were begun before have completed. The
     * future fails if one of them does.
     *
     * @throws IOException if the stream is closed, a write has failed or the write token was lost
     */
    Future<Void> sync() throws IOException;

    /** Offset in the file of the next byte that is written. */
    long position();

    /** The hint that the stream was opened with, in bytes. */
    long getWriteHint();

    /**
     * Waits for operations in flight, makes all that was written visible, gives the write token back and closes the
     * stream. A file to which nothing has been written since it was opened or synced may give the token back some
     * milliseconds later, or with the next request of the store; who wants to append to it meanwhile waits for at most
     * some 60 ms. If the process ends meanwhile without closing the store, the token expires. Closing a closed stream
     * does nothing.
     *
     * @throws Exception if a write has failed, even if its future was asked, or the write token is known to be lost;
     *     the stream is closed all the same, and the file ends before the first byte that is missing
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.util.concurrent.Future;

/**
 * An asynchronous stream that appends to a file: each call gives a future, and any number may be in flight. One thread at
 * a time may call; futures may be asked by any thread.
 */
public interface CrailOutputStream {
    /** The file that is written. */
    CrailNode getFile();

    /**
     * Writes the buffer's remaining bytes at the stream's position. The position advances at once, and the buffer's
     * position is at its limit when the call returns. The buffer must not be touched until the future is done. Others see
     * the bytes after {@link #sync} or {@link #close}.
     *
     * @return the number of bytes
     * @throws Exception {@link org.apache.crail.error.ClosedException} if the stream is closed
     */
    Future<CrailResult> write(CrailBuffer dataBuf) throws Exception;

    /**
     * Makes what has been written visible to others.
     *
     * @throws IOException if operations are in flight
     */
    Future<Void> sync() throws IOException;

    /** Offset in the file of the next byte that is written. */
    long position();

    /** The hint that the stream was opened with, in bytes. */
    long getWriteHint();

    /**
     * Makes all that was written visible and closes the stream. Closing a closed stream does nothing.
     *
     * @throws Exception if operations are in flight; the stream stays open then
     */
    void close() throws Exception;
}

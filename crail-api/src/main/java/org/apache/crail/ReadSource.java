/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where a {@link SliceReader} reads: a file, or the files of a bag one after the other. Not thread safe. */
interface ReadSource {
    /**
     * Begins to read the bytes that follow those of the last call.
     *
     * @param slice cleared; what to fill
     * @param wanted bytes that the caller waits for
     * @param mayBlock whether this may wait for metadata
     * @return null at the end, or if this may not wait but would have to
     */
    ReadOperation start(CrailBuffer slice, int wanted, boolean mayBlock) throws Exception;

    /**
     * Whether the bytes that follow can be copied at once, so that nothing is gained by reading them ahead. Does not
     * wait.
     */
    default boolean isNear() {
        return false;
    }

    /**
     * Copies the bytes that follow those of the last call, as far as they can be copied at once; none is being read
     * ahead.
     *
     * @param target what to fill; its position advances
     * @return how many bytes were copied; 0 if they have to be read into slices
     */
    default int copy(ByteBuffer target) throws Exception {
        return 0;
    }

    /** Whether bytes that nobody has asked for yet are worth reading. */
    boolean isSequential();

    /** Someone waits for more than has been read: from now on read ahead. */
    void expectSequential() throws Exception;

    /** Bytes that have not been begun to be read, as far as known without waiting. */
    long rest();

    /** An operation that {@link #start} gave is over and its bytes have arrived. */
    void finished(ReadOperation operation) throws Exception;

    /** Bytes from {@code position} on are wanted next; operations in flight are forgotten. */
    void reposition(long position) throws Exception;

    /** A read of the bytes at {@code position} failed; they are wanted again if that is possible. */
    void retry(long position, IOException failure) throws Exception;

    /** Gives up everything; no operation is in flight. */
    void close() throws Exception;
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A direct stream that can copy bytes between any memory of the caller, also on the heap, and blocks whose memory this
 * process has mapped. Implemented by the streams of stores, for the buffered streams over them. One thread at a time
 * may call, as with all of a stream.
 */
public interface NearStream {
    /**
     * Whether the block at the stream's position is mapped; if that block is not known yet, whether the one before was,
     * and no copy has failed to find this one. Does not wait.
     */
    boolean isNear();

    /**
     * Copies bytes, in the stream's direction, from its position on until a block is met that is not mapped, or cannot
     * be used now for whatever reason, which a transfer of a buffer tells. May wait for metadata of blocks, not for
     * transfers.
     *
     * @param bytes from its position to its limit; belongs to the caller again when the call returns
     * @return how many bytes were copied, by which both positions have advanced; 0 if none
     * @throws IOException if nothing can be read from, or written to, the stream any more, whatever the way
     */
    int copy(ByteBuffer bytes) throws IOException;
}

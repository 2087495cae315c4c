/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

/** Gives buffers. All methods are thread safe and none blocks. */
public interface CrailBufferCache {
    /** Gives a cleared buffer outside the heap, which the caller owns until it frees it. */
    CrailBuffer allocateBuffer() throws Exception;

    /** Takes back a buffer that {@link #allocateBuffer} gave; the caller must not touch it any more. */
    void freeBuffer(CrailBuffer buffer) throws Exception;
}

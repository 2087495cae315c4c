/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

/** What buffers cost to take from Netty's adaptive allocator. */
public final class BufferSizes {
    /**
     * Bytes of the largest buffer that is used again as it is. Larger ones are cut from chunks, of which one is made,
     * and cleared, for every few of them.
     */
    public static final int LARGEST_REUSED = 16 * 1024;

    private BufferSizes() {}
}

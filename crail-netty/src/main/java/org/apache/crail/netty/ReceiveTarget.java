/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Decides where the next bytes of a socket go. Called by the thread that runs the socket's loop. */
public interface ReceiveTarget {
    /**
     * The buffer whose writable bytes the socket fills next; direct, with room for one byte at least. The caller gets a
     * reference of its own and passes it to the channel's handler if bytes arrived, or else releases it.
     */
    ByteBuf receiveBuffer(ByteBufAllocator allocator);
}

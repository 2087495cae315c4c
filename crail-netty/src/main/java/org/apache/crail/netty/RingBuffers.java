/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.local.message.RingReader;
import org.apache.crail.local.message.RingWriter;

/** Copies bytes between buffers and rings. Stateless; each end of a ring is confined to one thread at a time. */
public final class RingBuffers {
    private RingBuffers() {}

    /**
     * Takes as many of the buffer's readable bytes as there is room for; the reader sees them when they are published.
     *
     * @return how many
     * @throws ProtocolMismatchException if the reader says that it has read what was not written
     */
    public static int write(RingWriter to, ByteBuf from) throws ProtocolMismatchException {
        int length = to.room(from.readableBytes());
        int left = length;
        while (left > 0) {
            ByteBuffer part = to.window(left);
            int bytes = part.remaining();
            from.readBytes(part);
            to.advance(bytes);
            left -= bytes;
        }
        return length;
    }

    /**
     * Copies what is there, as far as the buffer has room for it.
     *
     * @return whether the writer has to be woken, as it has room again
     * @throws ProtocolMismatchException if the writer says that it has written more than there is room for
     */
    public static boolean read(RingReader from, ByteBuf into) throws ProtocolMismatchException {
        int left = from.available(into.writableBytes());
        while (left > 0) {
            ByteBuffer part = from.window(left);
            int bytes = part.remaining();
            into.writeBytes(part);
            from.advance(bytes);
            left -= bytes;
        }
        return from.free();
    }
}

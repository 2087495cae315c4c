/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.apache.crail.error.ProtocolMismatchException;

/** The end of a ring that writes. Confined to one thread at a time. */
public final class RingWriter {
    private final ByteRing ring;
    private final ByteBuffer view;
    private long written;
    private long read; // as last seen

    RingWriter(ByteRing ring) {
        this.ring = ring;
        this.view = ring.view();
    }

    /**
     * Takes as many of the buffer's readable bytes as there is room for; the reader sees them after {@link #publish}.
     *
     * @return how many
     * @throws ProtocolMismatchException if the reader says that it has read what was not written
     */
    int write(ByteBuf from) throws ProtocolMismatchException {
        int length = Math.min(from.readableBytes(), room(from.readableBytes()));
        int left = length;
        while (left > 0) {
            ByteBuffer part = ByteRing.window(view, written, left);
            int bytes = part.remaining();
            from.readBytes(part);
            written += bytes;
            left -= bytes;
        }
        return length;
    }

    private int room(int wanted) throws ProtocolMismatchException {
        int room = (int) (ByteRing.CAPACITY_BYTES - (written - read));
        return room >= wanted ? room : presentRoom();
    }

    private int presentRoom() throws ProtocolMismatchException {
        long now = ring.read();
        if (now < read || now > written) {
            throw new ProtocolMismatchException(
                    "its shared memory says that " + now + " bytes were read, after " + read + " of " + written);
        }
        read = now;
        return (int) (ByteRing.CAPACITY_BYTES - (written - read));
    }

    /** Lets the reader see what has been written; whether it has to be woken. */
    boolean publish() {
        return ring.publish(written);
    }

    /** Whether there is room again for what did not fit. */
    boolean hasRoom() {
        return ring.read() != read;
    }

    /** Asks to be woken when there is room; whether there is some already. */
    boolean awaitRoom() {
        ring.writerWaits();
        return hasRoom();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.apache.crail.error.ProtocolMismatchException;

/** The end of a ring that reads. Confined to one thread at a time. */
public final class RingReader {
    private final ByteRing ring;
    private final ByteBuffer view;
    private long read;

    RingReader(ByteRing ring) {
        this.ring = ring;
        this.view = ring.view();
    }

    /** How many bytes have been read since the beginning. */
    public long position() {
        return read;
    }

    /** How much has been written and not been read; nonsense if the writer writes that. */
    public long available() {
        return ring.written() - read;
    }

    /** Whether there is anything that has not been read. */
    public boolean hasBytes() {
        return ring.written() != read;
    }

    /**
     * Copies what is there, as far as the buffer has room for it; whether the writer has to be woken, as it has room
     * again.
     *
     * @throws ProtocolMismatchException if the writer says that it has written more than there is room for
     */
    public boolean read(ByteBuf into) throws ProtocolMismatchException {
        long written = ring.written();
        long available = written - read;
        if (available < 0 || available > ByteRing.CAPACITY_BYTES) {
            throw new ProtocolMismatchException(
                    "its shared memory says that " + written + " bytes were written, of which " + read + " were read");
        }
        int left = (int) Math.min(available, into.writableBytes());
        while (left > 0) {
            ByteBuffer part = ByteRing.window(view, read, left);
            int bytes = part.remaining();
            into.writeBytes(part);
            read += bytes;
            left -= bytes;
        }
        return ring.free(read);
    }

    /** Asks to be woken by the next bytes; false if there are some already, then nobody sleeps. */
    public boolean fallAsleep() {
        ring.readerSleeps(true);
        boolean maySleep = !hasBytes();
        if (!maySleep) {
            ring.readerSleeps(false);
        }
        return maySleep;
    }

    /** As {@link #fallAsleep}, but the request stays also if there are bytes: others may have made it, too. */
    public boolean askForBell() {
        ring.readerSleeps(true);
        return !hasBytes();
    }

    /** Needs no waking any more. */
    public void wake() {
        ring.readerSleeps(false);
    }
}

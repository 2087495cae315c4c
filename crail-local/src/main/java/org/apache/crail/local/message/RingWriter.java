/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.ProtocolMismatchException;

/**
 * The end of a ring that writes: bytes are put into {@link #window}s, and the reader sees them after {@link #publish}.
 * Confined to one thread at a time.
 */
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
     * How many of so many bytes there is room for.
     *
     * @throws ProtocolMismatchException if the reader says that it has read what was not written
     */
    public int room(int wanted) throws ProtocolMismatchException {
        int room = (int) (ByteRing.CAPACITY_BYTES - (written - read));
        return Math.min(wanted, room >= wanted ? room : presentRoom());
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

    /**
     * Where the next of so many bytes go that there is room for: as many as lie in one piece. The buffer is this
     * object's, and good until the next call.
     */
    public ByteBuffer window(int length) {
        return ByteRing.window(view, written, length);
    }

    /** Counts so many bytes as written. */
    public void advance(int bytes) {
        written += bytes;
    }

    /** Lets the reader see what has been written; whether it has to be woken. */
    public boolean publish() {
        return ring.publish(written);
    }

    /** Whether there is room again for what did not fit. */
    public boolean hasRoom() {
        return ring.read() != read;
    }

    /** Asks to be woken when there is room; whether there is some already. */
    public boolean awaitRoom() {
        ring.writerWaits();
        return hasRoom();
    }
}

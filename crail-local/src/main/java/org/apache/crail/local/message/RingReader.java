/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.ProtocolMismatchException;

/**
 * The end of a ring that reads: bytes are taken from {@link #window}s, and their places given back by {@link #free}.
 * Confined to one thread at a time.
 */
public final class RingReader {
    /** How many bytes can be there at once. */
    public static final int MOST_BYTES = ByteRing.CAPACITY_BYTES;

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
     * How many of so many bytes are there.
     *
     * @throws ProtocolMismatchException if the writer says that it has written more than there is room for
     */
    public int available(int wanted) throws ProtocolMismatchException {
        long written = ring.written();
        long available = written - read;
        if (available < 0 || available > ByteRing.CAPACITY_BYTES) {
            throw new ProtocolMismatchException(
                    "its shared memory says that " + written + " bytes were written, of which " + read + " were read");
        }
        return (int) Math.min(available, wanted);
    }

    /**
     * The next of so many bytes that are there: those that lie in one piece. The buffer is this object's, and good
     * until the next call.
     */
    public ByteBuffer window(int length) {
        return ByteRing.window(view, read, length);
    }

    /** Counts so many bytes as read. */
    public void advance(int bytes) {
        read += bytes;
    }

    /** Gives the places of what has been read back; whether the writer has to be woken, as it has room again. */
    public boolean free() {
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

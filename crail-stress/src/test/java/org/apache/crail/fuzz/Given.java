/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.fuzz;

import java.nio.ByteBuffer;

/** The bytes of an input, from which a target takes what it needs; behind their end are zeros. Not thread safe. */
public final class Given {
    private final ByteBuffer bytes;

    /** Begins with the first byte. */
    public Given(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    /** Whether there are more bytes. */
    public boolean hasMore() {
        return bytes.hasRemaining();
    }

    /** A number from 0 to 255. */
    public int number() {
        return bytes.hasRemaining() ? Byte.toUnsignedInt(bytes.get()) : 0;
    }

    /** A number from 0 to 65535. */
    public int largeNumber() {
        return number() << 8 | number();
    }

    /** Any number. */
    public int integer() {
        return largeNumber() << 16 | largeNumber();
    }

    /** Any number. */
    public long longInteger() {
        return (long) integer() << 32 | Integer.toUnsignedLong(integer());
    }

    /** So many bytes, or as many as there are. */
    public byte[] bytes(int most) {
        byte[] taken = new byte[Math.min(most, bytes.remaining())];
        bytes.get(taken);
        return taken;
    }

    /** All that is left. */
    public byte[] rest() {
        return bytes(bytes.remaining());
    }
}

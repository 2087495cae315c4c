/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.nio.ByteBuffer;

/**
 * Bytes that tell whose they are: each is made from an id and its position, so that a byte of another node, of another
 * version or of another position is noticed. All methods are thread safe.
 */
public final class Pattern {
    private static final int ID_BYTES = Long.BYTES;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Pattern() {}

    /** The byte of this id at a position. */
    public static byte at(long id, long position) {
        long word = (id * GOLDEN) ^ (position >>> 3);
        word = (word ^ (word >>> 30)) * 0xBF58476D1CE4E5B9L;
        word = (word ^ (word >>> 27)) * 0x94D049BB133111EBL;
        return (byte) (word >>> ((position & 7) << 3));
    }

    /** The first {@code length} bytes of this id. */
    public static byte[] of(long id, int length) {
        return of(id, 0, length);
    }

    /** {@code length} bytes of this id from a position on. */
    public static byte[] of(long id, long position, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(id, position + i);
        }
        return bytes;
    }

    /** Fails, with the first position, if the bytes are not those of this id from {@code position} on. */
    public static void verify(long id, long position, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != at(id, position + i)) {
                throw new AssertionError("byte " + (position + i) + " of " + bytes.length + " is not one of id " + id);
            }
        }
    }

    /** A value that begins with its id; at least 8 bytes. */
    public static byte[] selfDescribing(long id, int length) {
        byte[] bytes = of(id, length);
        ByteBuffer.wrap(bytes).putLong(0, id);
        return bytes;
    }

    /** Fails if the bytes are not one whole self-describing value; answers its id. */
    public static long verifySelfDescribing(byte[] bytes) {
        long id = ByteBuffer.wrap(bytes).getLong(0);
        for (int i = ID_BYTES; i < bytes.length; i++) {
            if (bytes[i] != at(id, i)) {
                throw new AssertionError("byte " + i + " of " + bytes.length + " is foreign to the value of id " + id);
            }
        }
        return id;
    }
}

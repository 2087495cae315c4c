/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.nio.ByteBuffer;

/**
 * Bytes outside the heap, with a position and a limit as in {@link java.nio.Buffer}. Numbers are big-endian. Methods
 * that run out of space throw what {@link ByteBuffer} throws. Not thread safe; owned by whoever allocated it, except
 * while an operation that was given it is in flight.
 */
public interface CrailBuffer {
    /** Bytes in the buffer. */
    int capacity();

    /** Index of the next byte. */
    int position();

    /** Moves the position. Returns this. */
    CrailBuffer position(int newPosition);

    /** Index of the first byte that must not be touched. */
    int limit();

    /** Moves the limit. Returns this. */
    CrailBuffer limit(int newLimit);

    /** Sets the position to 0 and the limit to the capacity. Returns this. */
    CrailBuffer clear();

    /** Sets the limit to the position and the position to 0. Returns this. */
    CrailBuffer flip();

    /** Bytes from the position to the limit. */
    int remaining();

    /** Whether there are any. */
    boolean hasRemaining();

    /**
     * A buffer over the bytes from the position to the limit, with a position and limit of its own; owned with this
     * one.
     */
    CrailBuffer slice();

    /**
     * The memory address of byte 0 of this buffer, whatever its position.
     *
     * @throws UnsupportedOperationException if this JVM does not tell addresses
     */
    long address();

    /** The whole mapped region that this buffer is a part of; what hardware registers. */
    CrailBuffer getRegion();

    /** The same bytes, position and limit as a direct buffer; shared, not copied. */
    ByteBuffer getByteBuffer();

    /** Reads a byte. */
    byte get();

    /** Writes a byte. Returns the direct buffer, unlike all other methods, as it always has. */
    ByteBuffer put(byte value);

    /** Reads {@code length} bytes into {@code target} from {@code offset}. Returns this. */
    CrailBuffer get(byte[] target, int offset, int length);

    /** Writes {@code length} bytes of {@code source} from {@code offset}. Returns this. */
    CrailBuffer put(byte[] source, int offset, int length);

    /** Fills {@code target}. Returns this. */
    CrailBuffer get(byte[] target);

    /** Writes all of {@code source}. Returns this. */
    CrailBuffer put(byte[] source);

    /** Reads 2 bytes. */
    short getShort();

    /** Writes 2 bytes. Returns this. */
    CrailBuffer putShort(short value);

    /** Reads 4 bytes. */
    int getInt();

    /** Writes 4 bytes. Returns this. */
    CrailBuffer putInt(int value);

    /** Reads 8 bytes. */
    long getLong();

    /** Writes 8 bytes. Returns this. */
    CrailBuffer putLong(long value);

    /** Reads 4 bytes. */
    float getFloat();

    /** Writes 4 bytes. Returns this. */
    CrailBuffer putFloat(float value);

    /** Reads 8 bytes. */
    double getDouble();

    /** Writes 8 bytes. Returns this. */
    CrailBuffer putDouble(double value);

    /** Writes the remaining bytes of {@code source}. Returns this. */
    CrailBuffer put(ByteBuffer source);

    /** Fills the remaining space of {@code target}. Returns this. */
    CrailBuffer get(ByteBuffer target);
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.internal.BufferAddress;

/** A buffer over a direct {@link ByteBuffer}, with which it shares position and limit. Not thread safe. */
public class OffHeapBuffer implements CrailBuffer {
    private static final long UNKNOWN = -1;

    private final ByteBuffer buffer;
    private final OffHeapBuffer region;
    private long address = UNKNOWN;
    private volatile boolean kept;

    private OffHeapBuffer(ByteBuffer buffer, OffHeapBuffer region) {
        this.buffer = buffer;
        this.region = region == null ? this : region;
    }

    /**
     * Makes a buffer over {@code buffer}, whose position and limit it shares and whose byte order it keeps. It is its
     * own region. The caller goes on owning the memory. Tiers that transfer by RDMA know memory again by the buffer
     * that was wrapped: to wrap a new slice for each transfer costs a registration each time.
     *
     * @throws IOException if {@code buffer} is on the heap
     */
    public static OffHeapBuffer wrap(ByteBuffer buffer) throws IOException {
        if (!buffer.isDirect()) {
            throw new InvalidRequestException("buffer not offheap: " + buffer + "; use ByteBuffer.allocateDirect");
        }
        return new OffHeapBuffer(buffer, null);
    }

    /** Says that a buffer cache keeps this region, and uses it again and again. */
    void keep() {
        kept = true;
    }

    /** Whether its region is kept by a buffer cache, so that what is prepared for transfers once may stay so. */
    public boolean isKept() {
        return region.kept;
    }

    @Override
    public int capacity() {
        return buffer.capacity();
    }

    @Override
    public int position() {
        return buffer.position();
    }

    @Override
    public CrailBuffer position(int newPosition) {
        buffer.position(newPosition);
        return this;
    }

    @Override
    public int limit() {
        return buffer.limit();
    }

    @Override
    public CrailBuffer limit(int newLimit) {
        buffer.limit(newLimit);
        return this;
    }

    @Override
    public CrailBuffer clear() {
        buffer.clear();
        return this;
    }

    @Override
    public CrailBuffer flip() {
        buffer.flip();
        return this;
    }

    @Override
    public int remaining() {
        return buffer.remaining();
    }

    @Override
    public boolean hasRemaining() {
        return buffer.hasRemaining();
    }

    @Override
    public CrailBuffer slice() {
        OffHeapBuffer slice = new OffHeapBuffer(buffer.slice().order(buffer.order()), region);
        slice.address = address == UNKNOWN ? UNKNOWN : address + buffer.position();
        return slice;
    }

    @Override
    public long address() {
        if (address == UNKNOWN) {
            address = BufferAddress.of(buffer);
        }
        return address;
    }

    @Override
    public CrailBuffer getRegion() {
        return region;
    }

    @Override
    public ByteBuffer getByteBuffer() {
        return buffer;
    }

    @Override
    public byte get() {
        return buffer.get();
    }

    @Override
    public ByteBuffer put(byte value) {
        return buffer.put(value);
    }

    @Override
    public CrailBuffer get(byte[] target, int offset, int length) {
        buffer.get(target, offset, length);
        return this;
    }

    @Override
    public CrailBuffer put(byte[] source, int offset, int length) {
        buffer.put(source, offset, length);
        return this;
    }

    @Override
    public CrailBuffer get(byte[] target) {
        buffer.get(target);
        return this;
    }

    @Override
    public CrailBuffer put(byte[] source) {
        buffer.put(source);
        return this;
    }

    @Override
    public short getShort() {
        return buffer.getShort();
    }

    @Override
    public CrailBuffer putShort(short value) {
        buffer.putShort(value);
        return this;
    }

    @Override
    public int getInt() {
        return buffer.getInt();
    }

    @Override
    public CrailBuffer putInt(int value) {
        buffer.putInt(value);
        return this;
    }

    @Override
    public long getLong() {
        return buffer.getLong();
    }

    @Override
    public CrailBuffer putLong(long value) {
        buffer.putLong(value);
        return this;
    }

    @Override
    public float getFloat() {
        return buffer.getFloat();
    }

    @Override
    public CrailBuffer putFloat(float value) {
        buffer.putFloat(value);
        return this;
    }

    @Override
    public double getDouble() {
        return buffer.getDouble();
    }

    @Override
    public CrailBuffer putDouble(double value) {
        buffer.putDouble(value);
        return this;
    }

    @Override
    public CrailBuffer put(ByteBuffer source) {
        buffer.put(source);
        return this;
    }

    @Override
    public CrailBuffer get(ByteBuffer target) {
        if (target.remaining() > buffer.remaining()) {
            throw new BufferUnderflowException();
        }
        int limit = buffer.limit();
        buffer.limit(buffer.position() + target.remaining());
        try {
            target.put(buffer);
        } finally {
            buffer.limit(limit);
        }
        return this;
    }

    @Override
    public String toString() {
        return "OffHeapBuffer[pos=" + position() + " lim=" + limit() + " cap=" + capacity() + "]";
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.netty.BufferSizes;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * Cuts what a socket receives into messages, in place: the socket writes into one buffer, and messages are views of it.
 * The buffer has one of two fixed sizes, whatever lengths arrive, and is given back while nothing is in it, over memory
 * only if it is a large one. Confined to one thread at a time.
 */
final class FrameInput {
    static final int LENGTH_BYTES = Integer.BYTES;

    private static final int USUAL_BYTES = BufferSizes.LARGEST_REUSED;
    private static final int LARGEST_BYTES = LENGTH_BYTES + RpcTransport.MAX_MESSAGE_BYTES;

    private ByteBuf buffer;
    private ByteBuffer view;
    private int readIndex;

    /** The buffer that the socket is to fill; the caller gets a reference of its own. */
    ByteBuf receiveBuffer(ByteBufAllocator allocator) {
        if (buffer == null) {
            replaceBy(allocator.directBuffer(USUAL_BYTES, USUAL_BYTES));
        } else if (readIndex == buffer.writerIndex()) {
            buffer.clear();
            readIndex = 0;
        } else if (!buffer.isWritable()) {
            makeRoom(allocator);
        }
        return buffer.retain();
    }

    private void makeRoom(ByteBufAllocator allocator) {
        if (readIndex > 0) {
            buffer.readerIndex(readIndex).discardReadBytes();
            readIndex = 0;
        } else {
            replaceBy(allocator.directBuffer(LARGEST_BYTES, LARGEST_BYTES).writeBytes(buffer));
        }
    }

    private void replaceBy(ByteBuf next) {
        release();
        buffer = next;
        view = next.nioBuffer(0, next.capacity());
    }

    /**
     * The next message, valid until the next call, or null if none is complete.
     *
     * @throws ProtocolMismatchException if what arrives is no message
     */
    ByteBuffer next() throws ProtocolMismatchException {
        int available = buffer == null ? 0 : buffer.writerIndex() - readIndex;
        if (available < LENGTH_BYTES) {
            return null;
        }
        int length = buffer.getInt(readIndex);
        if (length < 0 || length > RpcTransport.MAX_MESSAGE_BYTES) {
            throw new ProtocolMismatchException("a message of " + length + " bytes arrived, messages have from 0 to "
                    + RpcTransport.MAX_MESSAGE_BYTES);
        }
        if (available - LENGTH_BYTES < length) {
            return null;
        }
        int start = readIndex + LENGTH_BYTES;
        readIndex = start + length;
        return view.limit(readIndex).position(start);
    }

    /** Whether something has arrived that is no whole message yet, or has not been taken. */
    boolean isBegun() {
        return buffer != null && readIndex < buffer.writerIndex();
    }

    /** The memory that is held for what has begun; 0 if nothing has. */
    int begunBytes() {
        return isBegun() ? buffer.capacity() : 0;
    }

    /** Gives the buffer back if nothing is in it. */
    void releaseIfEmpty() {
        if (buffer != null && readIndex == buffer.writerIndex()) {
            release();
        }
    }

    /** Gives the buffer back if nothing is in it and it is a large one. */
    void releaseIfEmptyAndLarge() {
        if (buffer != null && buffer.capacity() > USUAL_BYTES) {
            releaseIfEmpty();
        }
    }

    /** Gives the buffer back. */
    void release() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
            view = null;
            readIndex = 0;
        }
    }
}

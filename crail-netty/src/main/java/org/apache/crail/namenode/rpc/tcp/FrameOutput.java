/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.netty.BufferSizes;
import org.apache.crail.netty.FrameSink;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * Encodes messages one behind the other into a buffer, so that those which are sent close together leave in one write.
 * Confined to one thread at a time.
 */
final class FrameOutput {
    private static final int SMALL_BYTES = 4 * 1024;
    private static final int LARGEST_BYTES = FrameInput.LENGTH_BYTES + RpcTransport.MAX_MESSAGE_BYTES;

    private final Channel channel;
    private FrameSink sink;
    private ByteBuf buffer;
    private ByteBuffer view;
    private int viewStart;
    private boolean unflushed;

    FrameOutput(Channel channel) {
        this.channel = channel;
        this.sink = FrameSink.of(channel);
    }

    /** Sends by this way from now on. */
    void goOver(FrameSink next) {
        flush();
        sink = next;
    }

    /**
     * Adds a message.
     *
     * @throws InvalidRequestException if it is larger than any transport carries; nothing has been added then
     */
    void add(Encodable message) throws InvalidRequestException {
        int length = message.encodedLength();
        if (length > RpcTransport.MAX_MESSAGE_BYTES) {
            throw new InvalidRequestException(message.getClass().getSimpleName() + " of " + length
                    + " bytes cannot be sent, messages have at most " + RpcTransport.MAX_MESSAGE_BYTES);
        }
        ensureRoom(FrameInput.LENGTH_BYTES + length);
        view.putInt(length);
        message.encode(view);
    }

    private void ensureRoom(int length) {
        if (buffer != null && view.remaining() >= length) {
            return;
        }
        boolean more = buffer != null && view.position() > viewStart;
        handOver();
        release();
        buffer = channel.alloc().directBuffer(capacityFor(length, more));
        view = buffer.internalNioBuffer(0, buffer.capacity());
        viewStart = view.position();
    }

    private static int capacityFor(int length, boolean more) {
        if (length > BufferSizes.LARGEST_REUSED) {
            return LARGEST_BYTES;
        }
        return more || length > SMALL_BYTES ? BufferSizes.LARGEST_REUSED : SMALL_BYTES;
    }

    /** Gives what has been encoded to the sink. */
    private void handOver() {
        if (buffer == null || view.position() == viewStart) {
            return;
        }
        unflushed = true;
        if (sink.write(buffer.setIndex(0, view.position() - viewStart))) {
            view.position(viewStart);
        } else {
            buffer = null;
            view = null;
        }
    }

    /** Sends everything that has been added. */
    void flush() {
        handOver();
        if (unflushed) {
            unflushed = false;
            sink.flush();
            releaseIfLarge();
        }
    }

    private void releaseIfLarge() {
        if (buffer != null && buffer.capacity() > BufferSizes.LARGEST_REUSED) {
            release();
        }
    }

    /** Sends if so much has been handed over that the channel should get rid of it. */
    void flushIfMuch() {
        if (unflushed && !channel.isWritable()) {
            flush();
        }
    }

    /** Drops what has not been sent. */
    void release() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
            view = null;
        }
    }
}

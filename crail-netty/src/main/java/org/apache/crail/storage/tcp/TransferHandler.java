/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.crail.error.CrailException;
import org.apache.crail.netty.BufferSizes;
import org.apache.crail.netty.ReceiveTarget;

/**
 * Cuts what a socket receives into heads of fixed lengths and payloads. Heads are staged in a small buffer; the rest of
 * a payload is received right where it belongs. Only what came in together with a head is copied, and after a large
 * payload nothing but a head is staged, as another large one probably follows. Confined to who turns the channel's
 * loop.
 */
abstract class TransferHandler extends ChannelInboundHandlerAdapter implements ReceiveTarget {
    static final int READS_PER_EVENT = 16;

    private static final int STAGING_BYTES = BufferSizes.LARGEST_REUSED;
    private static final int LARGE_PAYLOAD_BYTES = 64 * 1024;

    private final Channel channel;
    private ByteBuf staging;
    private ByteBuf payload;
    private int skipBytes;
    private boolean inPayload;
    private int lastPayloadBytes;
    private boolean receiving;
    private boolean stopped;
    private boolean parsing;
    private long unstagedBytes;

    TransferHandler(Channel channel) {
        this.channel = channel;
    }

    final Channel channel() {
        return channel;
    }

    /** Bytes of the head that comes next. */
    abstract int headBytes();

    /** A head is complete; reads exactly its bytes, and may announce a payload. */
    abstract void onHead(ByteBuf head) throws CrailException;

    /** What was announced has arrived; {@code received} is null if it was skipped. It is released afterwards. */
    abstract void onPayload(ByteBuf received) throws CrailException;

    /** The connection cannot go on; the handler is stopped already. */
    abstract void onFailure(Throwable cause);

    /** Whether more may be handled now. */
    boolean mayContinue() {
        return true;
    }

    /**
     * Bytes are about to be received into the announced payload.
     *
     * @return whether it is still wanted; if not, the rest is skipped, and {@link #endReceive} is not called
     */
    boolean beginReceive() {
        return true;
    }

    /** No bytes go into the payload until {@link #beginReceive} is called again. */
    void endReceive() {}

    /** Copies what came in together with a head to where it belongs, between the two above; advances neither buffer. */
    void unstage(ByteBuf staged, int bytes, ByteBuf target) {
        target.setBytes(target.writerIndex(), staged, staged.readerIndex(), bytes);
    }

    /** How many bytes of payloads came in together with heads, and have been copied therefore. */
    final long unstagedBytes() {
        return unstagedBytes;
    }

    /** Announces a payload of as many bytes as {@code target} has room for; takes over its reference. */
    final void receiveInto(ByteBuf target) {
        payload = target;
        inPayload = true;
        lastPayloadBytes = target.writableBytes();
    }

    /** Announces a payload that nobody wants. */
    final void skip(int bytes) {
        skipBytes = bytes;
        inPayload = true;
        lastPayloadBytes = 0;
    }

    /** Handles nothing any more, and lets no byte go into a payload. */
    final void stop() {
        stopped = true;
    }

    @Override
    public final ByteBuf receiveBuffer(ByteBufAllocator allocator) {
        if (stopped) {
            return allocator.directBuffer(1);
        }
        boolean nothingStaged = staging == null || !staging.isReadable();
        if (payload != null && nothingStaged && beginOrSkip()) {
            return payload.retain();
        }
        if (nothingStaged) {
            releaseStaging();
            int bytes = lastPayloadBytes >= LARGE_PAYLOAD_BYTES ? headBytes() : STAGING_BYTES;
            staging = allocator.directBuffer(bytes, bytes);
        } else if (!staging.isWritable()) {
            staging.discardReadBytes();
        }
        return staging.retain();
    }

    private boolean beginOrSkip() {
        receiving = beginReceive();
        if (!receiving) {
            skip(payload.writableBytes());
            payload.release();
            payload = null;
        }
        return receiving;
    }

    private void endReceiving() {
        if (receiving) {
            receiving = false;
            endReceive();
        }
    }

    @Override
    public final void channelRead(ChannelHandlerContext context, Object received) {
        endReceiving();
        ((ByteBuf) received).release();
        handleStaged();
    }

    /** Handles what has been staged, as far as it may. */
    final void handleStaged() {
        if (parsing) {
            return;
        }
        parsing = true;
        try {
            while (!stopped && mayContinue() && handleNext()) {
                // one head or payload at a time
            }
        } catch (CrailException | RuntimeException | Error e) { // also when memory is short
            stop();
            onFailure(e);
        } finally {
            parsing = false;
        }
    }

    private boolean handleNext() throws CrailException {
        if (inPayload) {
            return handlePayload();
        }
        if (staging == null || staging.readableBytes() < headBytes()) {
            return false;
        }
        onHead(staging);
        if (!inPayload) {
            lastPayloadBytes = 0;
        }
        return true;
    }

    private boolean handlePayload() throws CrailException {
        int staged = staging == null ? 0 : staging.readableBytes();
        if (payload != null && staged > 0 && beginOrSkip()) {
            int bytes = Math.min(staged, payload.writableBytes());
            unstage(staging, bytes, payload);
            unstagedBytes += bytes;
            staging.skipBytes(bytes);
            payload.writerIndex(payload.writerIndex() + bytes);
            endReceiving();
        } else if (payload == null) {
            int skipped = Math.min(staged, skipBytes);
            if (skipped > 0) {
                staging.skipBytes(skipped);
            }
            skipBytes -= skipped;
        }
        if (payload == null ? skipBytes > 0 : payload.isWritable()) {
            return false;
        }
        ByteBuf received = payload;
        payload = null;
        inPayload = false;
        try {
            onPayload(received);
        } finally {
            if (received != null) {
                received.release();
            }
        }
        return true;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        endReceiving();
        if (staging != null && !staging.isReadable()) {
            releaseStaging();
        }
        channel.flush();
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        endReceiving();
        if (!stopped) {
            stop();
            onFailure(cause);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        stop();
        endReceiving();
        releaseStaging();
        if (payload != null) {
            payload.release();
            payload = null;
        }
    }

    private void releaseStaging() {
        if (staging != null) {
            staging.release();
            staging = null;
        }
    }
}

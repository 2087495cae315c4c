/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.apache.crail.error.ProtocolMismatchException;

/**
 * Sends what a connection has encoded through a ring; what has no room there waits, and makes the channel unwritable if it is much. Used by who turns the
 * channel's loop.
 */
final class RingSink implements FrameSink {
    private static final int WRITABILITY_INDEX = 1;

    private final Channel channel;
    private final RingWriter writer;
    private final Runnable wakeReader;
    private final Consumer<Throwable> onFailure;
    private final ArrayDeque<ByteBuf> unsent = new ArrayDeque<>();
    private long unsentBytes;
    private boolean released;

    /**
     * Prepares an empty one.
     *
     * @param wakeReader wakes the other end, which sleeps
     * @param onFailure told if the other end writes nonsense, or has taken the memory away
     */
    RingSink(Channel channel, RingWriter writer, Runnable wakeReader, Consumer<Throwable> onFailure) {
        this.channel = channel;
        this.writer = writer;
        this.wakeReader = wakeReader;
        this.onFailure = onFailure;
    }

    @Override
    public boolean write(ByteBuf bytes) {
        if (released || !channel.isActive()) { // as a socket drops what is written after its end
            return true;
        }
        try {
            if (unsent.isEmpty()) {
                writer.write(bytes);
            }
        } catch (ProtocolMismatchException | InternalError e) { // the latter if the other end has cut the file short
            onFailure.accept(e);
            return true;
        }
        if (!bytes.isReadable()) {
            return true;
        }
        unsent.add(bytes);
        unsentBytes += bytes.readableBytes();
        if (unsentBytes > channel.config().getWriteBufferHighWaterMark()) {
            setWritable(false);
        }
        return false;
    }

    @Override
    public void flush() {
        if (released) {
            return;
        }
        try {
            if (writer.publish()) {
                wakeReader.run();
            }
        } catch (InternalError e) {
            onFailure.accept(e);
        }
    }

    /** Whether there is room for some of what waits. */
    boolean canSendUnsent() {
        return !unsent.isEmpty() && writer.hasRoom();
    }

    /** Sends of what waits as much as there is room for. */
    void sendUnsent() throws ProtocolMismatchException {
        if (unsent.isEmpty()) {
            return;
        }
        boolean hasRoom = true;
        while (hasRoom && !unsent.isEmpty()) {
            ByteBuf next = unsent.peek();
            unsentBytes -= writer.write(next);
            hasRoom = !next.isReadable();
            if (hasRoom) {
                unsent.remove().release();
            }
        }
        flush();
        if (unsentBytes < channel.config().getWriteBufferLowWaterMark()) {
            setWritable(true);
        }
    }

    /** Asks to be woken when there is room for what waits; false if there is some already. */
    boolean fallAsleep() {
        return unsent.isEmpty() || !writer.awaitRoom();
    }

    private void setWritable(boolean isWritable) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer(); // null while it is being closed
        if (buffer != null && buffer.getUserDefinedWritability(WRITABILITY_INDEX) != isWritable) {
            buffer.setUserDefinedWritability(WRITABILITY_INDEX, isWritable);
        }
    }

    /** Drops what waits, and what comes. */
    void release() {
        released = true;
        unsent.forEach(ByteBuf::release);
        unsent.clear();
    }
}

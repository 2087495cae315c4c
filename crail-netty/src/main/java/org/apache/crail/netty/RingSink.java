/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.local.message.RingWriter;

/**
 * Sends what a connection has encoded through a ring; what has no room there waits, and makes the channel unwritable if
 * it is much. Used by one thread at a time.
 */
public final class RingSink implements FrameSink {
    private final Channel channel;
    private final RingWriter writer;
    private final Runnable wakeReader;
    private final Consumer<Throwable> onFailure;
    private final LongConsumer onBacklog;
    private final ArrayDeque<ByteBuf> unsent = new ArrayDeque<>();
    private long unsentBytes;
    private volatile boolean hasUnsent; // for others to look at
    private boolean released;

    /**
     * Prepares an empty one.
     *
     * @param wakeReader wakes the other end, which sleeps
     * @param onFailure told if the other end writes nonsense, or has taken the memory away
     * @param onBacklog told how many bytes wait for room, after each change
     */
    public RingSink(
            Channel channel,
            RingWriter writer,
            Runnable wakeReader,
            Consumer<Throwable> onFailure,
            LongConsumer onBacklog) {
        this.channel = channel;
        this.writer = writer;
        this.wakeReader = wakeReader;
        this.onFailure = onFailure;
        this.onBacklog = onBacklog;
    }

    @Override
    public boolean write(ByteBuf bytes) {
        if (released || !channel.isActive()) { // as a socket drops what is written after its end
            return true;
        }
        try {
            if (unsent.isEmpty()) {
                RingBuffers.write(writer, bytes);
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
        hasUnsent = true;
        onBacklog.accept(unsentBytes);
        return false;
    }

    @Override
    public void flush() {
        if (released || !channel.isActive()) {
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
    public boolean canSendUnsent() {
        return hasUnsent && writer.hasRoom();
    }

    /** Sends of what waits as much as there is room for. */
    public void sendUnsent() throws ProtocolMismatchException {
        if (unsent.isEmpty()) {
            return;
        }
        boolean hasRoom = true;
        while (hasRoom && !unsent.isEmpty()) {
            ByteBuf next = unsent.peek();
            int written = RingBuffers.write(writer, next);
            unsentBytes -= written;
            hasRoom = !next.isReadable();
            if (hasRoom) {
                unsent.remove().release();
            }
        }
        hasUnsent = unsentBytes > 0;
        flush();
        onBacklog.accept(unsentBytes);
    }

    /** Asks to be woken when there is room for what waits; false if there is some already. */
    public boolean fallAsleep() {
        return !hasUnsent || !writer.awaitRoom();
    }

    /** Drops what waits, and what comes. */
    public void release() {
        released = true;
        unsent.forEach(ByteBuf::release);
        unsent.clear();
        unsentBytes = 0;
        hasUnsent = false;
    }
}

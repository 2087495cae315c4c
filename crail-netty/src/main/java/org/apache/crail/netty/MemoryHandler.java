/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.ReferenceCountUtil;
import java.util.Optional;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.local.message.MessageMemory;
import org.apache.crail.local.message.RingReader;

/**
 * Lets what a client's connection over a Unix domain socket carries go through memory that both ends map, at the
 * server. The first handler of its pipeline: what comes through memory the others read as if the socket had received
 * it. What is sent has to be given to its {@link FrameSink}; writes to the pipeline go to the socket, which stays for
 * what memory cannot tell: a byte over it wakes an end that sleeps, and its end is the connection's.
 *
 * <p>The client begins: it marks the memory and wakes the server, which sees the mark, marks it too, and wakes the
 * client. From then on each sends through memory only. Used by who runs the channel's loop.
 */
public final class MemoryHandler extends ChannelInboundHandlerAdapter implements PolledInput {
    private static final int READS_IN_A_ROW = 8;
    private static final int WAKE_UPS_BYTES = 16;
    private static final int WRITABILITY_INDEX = 1;

    private final Channel channel;
    private final MessageMemory memory;
    private final RingReader reader;
    private final RingSink sink;
    private final ReceiveTarget target;
    private ChannelHandlerContext context;
    private boolean ended;

    private MemoryHandler(Channel channel, MessageMemory memory) {
        this.channel = channel;
        this.memory = memory;
        this.reader = memory.reader();
        this.sink = new RingSink(channel, memory.writer(), this::wakeOther, this::fail, this::onBacklog);
        this.target = TargetedReceive.divert(channel, allocator -> allocator.directBuffer(WAKE_UPS_BYTES));
    }

    /**
     * Whether the channel's loop can look into memory for one more connection, this one, which does not go through
     * memory yet.
     */
    public static boolean isPossible(Channel channel) {
        PolledInputs inputs = SpinningEventLoop.inputsOf(channel);
        return inputs != null && inputs.hasRoom() && channel.pipeline().get(MemoryHandler.class) == null;
    }

    /** Keeps a place for a connection to which memory is to be offered, if there is one; {@link #giveUp} ends that. */
    public static boolean reserve(Channel channel) {
        boolean isPossible = isPossible(channel);
        if (isPossible) {
            SpinningEventLoop.inputsOf(channel).countOffer(1);
        }
        return isPossible;
    }

    /** Ends what {@link #reserve} began: the offer has been taken, or nobody will take it. */
    public static void giveUp(Channel channel) {
        SpinningEventLoop.inputsOf(channel).countOffer(-1);
    }

    /**
     * Lets a server's end go through memory that it has offered, which is given back with the connection.
     *
     * @return where to send from now on; nothing if the client has not got this memory, or the loop serves too many by
     *     now, then nothing has changed
     */
    public static Optional<FrameSink> accept(Channel channel, MessageMemory memory) {
        if (!isPossible(channel) || !memory.isMarkedByOther()) {
            return Optional.empty();
        }
        MemoryHandler handler = new MemoryHandler(channel, memory);
        memory.mark();
        channel.pipeline().addFirst(handler);
        handler.startPolling();
        handler.wakeOther();
        return Optional.of(handler.sink);
    }

    private void startPolling() {
        SpinningEventLoop.inputsOf(channel).add(this);
    }

    private void wakeOther() {
        context.writeAndFlush(context.alloc().directBuffer(1).writeZero(1), context.voidPromise());
    }

    /** Makes the channel unwritable while much waits for room. */
    private void onBacklog(long bytes) {
        WriteBufferWaterMark marks = channel.config().getWriteBufferWaterMark();
        if (bytes > marks.high()) {
            setWritable(false);
        } else if (bytes < marks.low()) {
            setWritable(true);
        }
    }

    private void setWritable(boolean isWritable) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer(); // null while it is being closed
        if (buffer != null && buffer.getUserDefinedWritability(WRITABILITY_INDEX) != isWritable) {
            buffer.setUserDefinedWritability(WRITABILITY_INDEX, isWritable);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public Channel channel() {
        return channel;
    }

    private boolean isReady() {
        return !ended && ((reader.hasBytes() && channel.config().isAutoRead()) || sink.canSendUnsent());
    }

    @Override
    public boolean takeIfReady() {
        boolean isReady = isReady();
        if (isReady) {
            take();
        }
        return isReady;
    }

    private void take() {
        try {
            sink.sendUnsent();
            boolean hasRead = false;
            for (int i = 0;
                    i < READS_IN_A_ROW && reader.hasBytes() && channel.config().isAutoRead();
                    i++) {
                hasRead |= read() > 0;
            }
            if (hasRead) {
                context.fireChannelReadComplete();
            }
        } catch (ProtocolMismatchException | RuntimeException | Error e) {
            fail(e);
        }
    }

    private int read() throws ProtocolMismatchException {
        ByteBuf buffer = target.receiveBuffer(context.alloc());
        int before = buffer.writerIndex();
        boolean isRead = false;
        boolean isRoomAwaited;
        try {
            isRoomAwaited = RingBuffers.read(reader, buffer);
            isRead = true;
        } finally {
            if (!isRead) {
                buffer.release();
            }
        }
        int bytes = buffer.writerIndex() - before;
        context.fireChannelRead(buffer);
        if (isRoomAwaited) {
            wakeOther();
        }
        return bytes;
    }

    /**
     * Reads what the other end had sent when it closed; what it might add is for nobody, nor what has no room as nobody
     * takes it any more.
     */
    private void readRest() {
        try {
            long rest = Math.min(reader.available(), RingReader.MOST_BYTES);
            int bytes = 1;
            while (rest > 0 && bytes > 0) {
                bytes = read();
                rest -= bytes;
            }
            context.fireChannelReadComplete();
        } catch (ProtocolMismatchException | RuntimeException | Error e) {
            fail(e);
        }
    }

    @Override
    public boolean fallAsleep() {
        boolean isReading = channel.config().isAutoRead();
        if (!isReading) {
            context.read(); // wake-ups are heard all the same: there may be room
        }
        return (!isReading || reader.fallAsleep()) && sink.fallAsleep();
    }

    @Override
    public boolean wake() {
        reader.wake();
        return true;
    }

    /** A wake-up; the thread that runs the loop polls the memory next. */
    @Override
    public void channelRead(ChannelHandlerContext ignored, Object wakeUp) {
        ReferenceCountUtil.release(wakeUp);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ignored) {
        // of the wake-up
    }

    /** Also if the other end has cut the file short, which the JVM tells by an error. */
    @Override
    public void fail(Throwable cause) {
        context.fireExceptionCaught(cause);
    }

    /** The socket may fail where the other end closed before it heard a wake-up. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ignored, Throwable cause) {
        if (!ended) {
            readRest();
        }
        fail(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ignored) {
        if (!ended) {
            readRest();
        }
        end();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ignored) {
        end();
    }

    private void end() {
        if (!ended) {
            ended = true;
            SpinningEventLoop.inputsOf(channel).remove(this);
            sink.release();
            memory.release();
        }
    }
}

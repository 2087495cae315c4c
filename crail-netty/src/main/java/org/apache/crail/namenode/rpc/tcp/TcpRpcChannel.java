/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.crail.error.CrailException;
import org.apache.crail.netty.ReceiveTarget;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of either end. Messages from other threads go through a queue to the channel's thread, which encodes all it
 * finds and flushes once; messages sent by the receiver itself leave when everything that arrived has been handled. The
 * public methods are thread safe, the handler's are called by the channel's thread only.
 */
final class TcpRpcChannel extends ChannelInboundHandlerAdapter implements RpcChannel, ReceiveTarget {
    private static final Logger LOG = LoggerFactory.getLogger(TcpRpcChannel.class);
    private static final int QUEUE_CHUNK = 256;

    private final Channel channel;
    private final String peer;
    private final boolean stopsWhenUnread;
    private final Queue<Encodable> queue = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    private final AtomicBoolean drainScheduled = new AtomicBoolean();
    private final Runnable drain = this::drain;
    private final FrameInput input = new FrameInput();
    private final FrameOutput output;
    private Receiver receiver;
    private boolean delivering;
    private boolean ended;
    private boolean removed;
    private Throwable endCause;
    private volatile boolean closedHere;

    /** Makes a connection over {@code channel} that stops to read while its answers pile up, if it is to. */
    TcpRpcChannel(Channel channel, boolean stopsWhenUnread) {
        this.channel = channel;
        this.peer = SocketAddresses.peer(channel);
        this.stopsWhenUnread = stopsWhenUnread;
        this.output = new FrameOutput(channel);
    }

    /** Sets who is told of what arrives: before anything is read, or on the channel's thread. */
    void receiver(Receiver owner) {
        this.receiver = owner;
    }

    /** Lets a channel that does not read yet read. */
    void startReading() {
        channel.config().setAutoRead(true);
    }

    @Override
    public void send(Encodable message) {
        if (delivering && channel.eventLoop().inEventLoop()) {
            encode(message);
        } else {
            queue.offer(message);
            if (!drainScheduled.get() && drainScheduled.compareAndSet(false, true)) {
                executeUnlessShutDown(drain);
            }
        }
    }

    private void executeUnlessShutDown(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.trace("{}: the transport is closed, a message is dropped", peer, e);
        }
    }

    private void drain() {
        drainScheduled.set(false);
        for (Encodable message = queue.poll(); message != null; message = queue.poll()) {
            encode(message);
        }
        output.flush();
    }

    private void encode(Encodable message) {
        if (ended) {
            return;
        }
        try {
            output.add(message);
        } catch (CrailException | RuntimeException e) {
            LOG.error("a message to {} could not be encoded; closing the connection", peer, e);
            end(e);
        }
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public void close() {
        closedHere = true;
        executeUnlessShutDown(this::closeWhenSent);
    }

    /** What was sent before, the reason of a refusal for example, leaves before the connection ends. */
    private void closeWhenSent() {
        drain();
        channel.close();
    }

    @Override
    public ByteBuf receiveBuffer(ByteBufAllocator allocator) {
        return removed ? allocator.directBuffer(1) : input.receiveBuffer(allocator);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ((ByteBuf) message).release();
        deliver();
    }

    private void deliver() {
        delivering = true;
        try {
            ByteBuffer message = nextMessage();
            while (message != null) {
                receiver.onMessage(message);
                message = nextMessage();
            }
        } catch (CrailException e) {
            LOG.warn("{}: {}; closing the connection", peer, e.getMessage());
            end(e);
        } catch (RuntimeException e) {
            LOG.error("a message of {} could not be handled; closing the connection", peer, e);
            end(e);
        } finally {
            delivering = false;
        }
    }

    private ByteBuffer nextMessage() throws CrailException {
        output.flushIfMuch();
        boolean stopped = ended || closedHere || (stopsWhenUnread && !channel.isWritable());
        return stopped ? null : input.next();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        input.releaseIfEmpty();
        output.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!stopsWhenUnread) {
            return;
        }
        boolean writable = channel.isWritable();
        channel.config().setAutoRead(writable);
        if (writable && !delivering) {
            channel.eventLoop().execute(this::resume);
        }
    }

    private void resume() {
        deliver();
        input.releaseIfEmpty();
        output.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        end(cause);
    }

    private void end(Throwable cause) {
        if (!ended) {
            ended = true;
            endCause = cause;
        }
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended = true;
        Throwable cause = endCause != null ? endCause : new EOFException("the other end closed the connection");
        if (receiver != null) {
            receiver.onClosed(closedHere ? null : cause);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        ended = true;
        removed = true;
        input.release();
        output.release();
    }
}

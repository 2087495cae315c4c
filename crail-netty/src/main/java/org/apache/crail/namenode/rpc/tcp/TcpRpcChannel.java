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
import org.apache.crail.internal.PeerLog;
import org.apache.crail.netty.FrameSink;
import org.apache.crail.netty.ReceiveTarget;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection over a socket, as both ends have it. Messages go through a queue to the thread that runs the channel's
 * loop, which encodes all of them and flushes once. Messages that the receiver itself sends leave when everything that
 * arrived has been handled. Methods of {@link RpcChannel} are thread safe; the others are for the thread that runs the
 * loop.
 */
abstract class TcpRpcChannel extends ChannelInboundHandlerAdapter implements RpcChannel, ReceiveTarget {
    private static final Logger LOG = LoggerFactory.getLogger(TcpRpcChannel.class);
    static final PeerLog PEER_LOG = new PeerLog(LOG);
    private static final int QUEUE_CHUNK = 256;

    /** How often a socket is read in a row. */
    static final int READS_PER_EVENT = 8;

    final Channel channel;
    final FrameInput input = new FrameInput();
    final Queue<Encodable> queue = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    final Runnable drain = this::drain;
    private final String peer;
    private final AtomicBoolean drainScheduled = new AtomicBoolean();
    private final FrameOutput output;
    private Receiver receiver;
    private boolean delivering;
    private boolean ended;
    private boolean removed;
    private Throwable endCause;
    private volatile boolean closedHere;

    /** Makes a connection over {@code channel}. */
    TcpRpcChannel(Channel channel) {
        this.channel = channel;
        this.peer = SocketAddresses.peer(channel);
        this.output = new FrameOutput(channel);
    }

    /**
     * Called when a message is in the queue.
     *
     * @param isAwaited whether the thread is going to wait for the answer
     */
    void onQueued(boolean isAwaited) {}

    /** Called with each message when it has been encoded. */
    void onSent(Encodable message) {}

    /** Called with the number of messages that have been received, after they have been handled. */
    abstract void onReceived(int messages);

    /** Whether the next message may be taken. */
    boolean mayTake() {
        return true;
    }

    /** Runs a task here and now, if this thread may run the loop for that. Returns whether it did. */
    boolean runHere(Runnable task) {
        return false;
    }

    /** Gives buffers back when everything that came has been read. */
    abstract void endRead();

    /** Sets who is told of what arrives: before anything is read, or by the thread that runs the loop. */
    final void receiver(Receiver owner) {
        this.receiver = owner;
    }

    /** Sends through memory from now on. */
    final void sendThrough(FrameSink memory) {
        output.goOver(memory);
    }

    @Override
    public final void send(Encodable message) {
        send(message, false);
    }

    final void send(Encodable message, boolean isAwaited) {
        if (delivering && channel.eventLoop().inEventLoop()) {
            encodeQueued();
            encode(message);
            return;
        }
        queue.offer(message);
        onQueued(isAwaited);
        scheduleDrain();
    }

    final boolean isDrainScheduled() {
        return drainScheduled.get();
    }

    final void scheduleDrain() {
        if (!drainScheduled.get() && drainScheduled.compareAndSet(false, true) && !runHere(drain)) {
            executeUnlessShutDown(drain);
        }
    }

    final void executeUnlessShutDown(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.trace("{}: the transport is closed, a message is dropped, or what follows one", peer, e);
        }
    }

    private void drain() {
        drainScheduled.set(false);
        try {
            encodeQueued();
            output.flush();
        } catch (RuntimeException | Error e) { // calls must not wait for what may not have left
            end(e);
            LOG.error("messages to {} could not be sent; closing the connection", peer, e);
        }
    }

    private void encodeQueued() {
        for (Encodable message = queue.poll(); message != null; message = queue.poll()) {
            encode(message);
        }
    }

    private void encode(Encodable message) {
        if (ended) {
            return;
        }
        try {
            output.add(message instanceof Unhurried unhurried ? unhurried.message() : message);
            onSent(message);
        } catch (CrailException | RuntimeException | Error e) { // also when memory is short: half a message may be out
            end(e);
            LOG.error("a message to {} could not be encoded; closing the connection", peer, e);
        }
    }

    @Override
    public final String peer() {
        return peer;
    }

    @Override
    public final void close() {
        closedHere = true;
        executeUnlessShutDown(this::closeWhenSent);
    }

    /** What was sent before, the reason of a refusal for example, leaves before the connection ends. */
    private void closeWhenSent() {
        drain();
        channel.close();
    }

    @Override
    public final ByteBuf receiveBuffer(ByteBufAllocator allocator) {
        return removed ? allocator.directBuffer(1) : input.receiveBuffer(allocator);
    }

    @Override
    public final void channelRead(ChannelHandlerContext context, Object message) {
        ((ByteBuf) message).release();
        deliver();
    }

    final boolean isDelivering() {
        return delivering;
    }

    final void deliver() {
        delivering = true;
        int received = 0;
        try {
            for (ByteBuffer message = nextMessage(); message != null; message = nextMessage()) {
                received++;
                receiver.onMessage(message);
            }
        } catch (CrailException e) {
            PEER_LOG.warn("{}: {}; closing the connection", peer, e.getMessage());
            end(e);
        } catch (RuntimeException | Error e) {
            end(e);
            PEER_LOG.error("a message of {} could not be handled; closing the connection", peer, e);
        } finally {
            delivering = false;
            onReceived(received);
        }
    }

    private ByteBuffer nextMessage() throws CrailException {
        output.flushIfMuch();
        return ended || closedHere || !mayTake() ? null : input.next();
    }

    @Override
    public final void channelReadComplete(ChannelHandlerContext context) {
        output.flush();
        endRead();
    }

    /** Handles what has arrived and was left. */
    final void resume() {
        deliver();
        output.flush();
        endRead();
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        end(cause);
    }

    final boolean hasEnded() {
        return ended;
    }

    final void end(Throwable cause) {
        if (!ended) {
            ended = true;
            endCause = cause;
        }
        channel.close();
    }

    @Override
    public final void channelInactive(ChannelHandlerContext context) {
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

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
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.internal.PeerLog;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.netty.FrameSink;
import org.apache.crail.netty.ReceiveTarget;
import org.apache.crail.netty.SharedEventLoop;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.netty.TargetedReceive;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of either end. Messages go through a queue to who turns the channel's loop, which encodes all it finds
 * and flushes once; unhurried ones wait there for the next. Messages sent by the receiver itself leave when everything
 * that arrived has been handled. The public methods are thread safe, the handler's are called by who is inside the
 * loop: its thread, or for a client one that waits.
 */
final class TcpRpcChannel extends ChannelInboundHandlerAdapter implements RpcChannel, ReceiveTarget {
    private static final Logger LOG = LoggerFactory.getLogger(TcpRpcChannel.class);
    private static final PeerLog PEER_LOG = new PeerLog(LOG);
    private static final int QUEUE_CHUNK = 256;

    /** How often a socket is read in a row. */
    static final int READS_PER_EVENT = 8;

    /** How long a client may take for the rest of a message. */
    static final int BEGUN_LIMIT_S = 30;

    /** How long an unhurried message waits for another one. */
    private static final long UNHURRIED_MS = 1;

    private final Channel channel;
    private final SharedEventLoop sharedLoop;
    private final String peer;
    private final BegunMessages begun;
    private int begunBytes; // as counted there
    private final Queue<Encodable> queue = new MpscUnboundedArrayQueue<>(QUEUE_CHUNK);
    private final AtomicBoolean drainScheduled = new AtomicBoolean();
    private final AtomicBoolean drainPlanned = new AtomicBoolean();
    private final Runnable drain = this::drain;
    private final FrameInput input = new FrameInput();
    private final FrameOutput output;
    private final Unanswered unanswered = new Unanswered();
    private Receiver receiver;
    private volatile boolean overMemory;
    private long taken; // messages that have arrived
    private boolean isWatched;
    private boolean delivering;
    private boolean ended;
    private boolean removed;
    private Throwable endCause;
    private volatile boolean closedHere;

    /**
     * Makes a connection over {@code channel}.
     *
     * @param begun counts what a client has begun to send to this server, which stops to read while its answers pile
     *     up; null for a client's end
     */
    TcpRpcChannel(Channel channel, BegunMessages begun) {
        this.channel = channel;
        this.sharedLoop = SharedEventLoop.of(channel.eventLoop());
        this.peer = SocketAddresses.peer(channel);
        this.begun = begun;
        this.output = new FrameOutput(channel);
    }

    /** Makes a client's connection over {@code channel}, which does not read yet. */
    static TcpRpcChannel ofClient(Channel channel, Receiver receiver) {
        TcpRpcChannel connection = new TcpRpcChannel(channel, null);
        connection.receiver(receiver);
        TargetedReceive.install(channel, connection, READS_PER_EVENT);
        channel.pipeline().addLast(connection);
        return connection;
    }

    /** Whether this is the server's end, which stops to read while its answers pile up. */
    private boolean isServer() {
        return begun != null;
    }

    /** Sets who is told of what arrives: before anything is read, or by who turns the channel's loop. */
    void receiver(Receiver owner) {
        this.receiver = owner;
    }

    /** Goes over to memory. */
    void goOver(FrameSink memory) {
        overMemory = true;
        output.goOver(memory);
    }

    /** Lets a channel that does not read yet read. */
    void startReading() {
        channel.config().setAutoRead(true);
    }

    @Override
    public void send(Encodable message) {
        send(message, false);
    }

    @Override
    public void sendAwaited(Encodable message) {
        send(message, true);
    }

    private void send(Encodable message, boolean isAwaited) {
        if (delivering && channel.eventLoop().inEventLoop()) {
            count(encodeQueued() + encode(message));
            return;
        }
        queue.offer(message);
        if (sharedLoop != null) {
            sharedLoop.onRequest(isAwaited);
        }
        scheduleDrain();
    }

    @Override
    public void sendWithNext(Encodable message) {
        queue.offer(new Unhurried(message));
        if (!drainScheduled.get() && drainPlanned.compareAndSet(false, true)) {
            Future<?> ignored = SharedTimer.after(UNHURRIED_MS, this::drainLeftovers);
        }
    }

    private void drainLeftovers() {
        drainPlanned.set(false);
        boolean isDone = queue.isEmpty() || (sharedLoop != null && sharedLoop.runHere(drain));
        if (!isDone) {
            scheduleDrain();
        }
    }

    private void scheduleDrain() {
        if (!drainScheduled.get() && drainScheduled.compareAndSet(false, true)) {
            if (sharedLoop == null || !sharedLoop.runHere(drain)) {
                executeUnlessShutDown(drain);
            }
        }
    }

    @Override
    public void await(BooleanSupplier hasCome, IdleStrategy idle, long limitNs) {
        if (sharedLoop != null) {
            sharedLoop.advance(hasCome, limitNs);
        }
        RpcChannel.super.await(hasCome, idle, limitNs);
    }

    /** Counts requests of a client that somebody may wait for. */
    private void count(int requests) {
        if (sharedLoop != null && requests != 0) {
            sharedLoop.count(requests);
        }
    }

    private void executeUnlessShutDown(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.trace("{}: the transport is closed, a message is dropped, or what follows one", peer, e);
        }
    }

    private void drain() {
        drainScheduled.set(false);
        try {
            int sent = encodeQueued();
            count(sent);
            output.flush();
        } catch (RuntimeException | Error e) { // calls must not wait for what may not have left
            end(e);
            LOG.error("messages to {} could not be sent; closing the connection", peer, e);
        }
    }

    private int encodeQueued() {
        int sent = 0;
        for (Encodable message = queue.poll(); message != null; message = queue.poll()) {
            sent += encode(message);
        }
        return sent;
    }

    /** Answers how many more requests there are that somebody may wait for: one, or none. */
    private int encode(Encodable message) {
        if (ended) {
            return 0;
        }
        try {
            boolean isHurried = !(message instanceof Unhurried);
            output.add(message instanceof Unhurried unhurried ? unhurried.message() : message);
            return sharedLoop == null ? 0 : unanswered.sent(isHurried);
        } catch (CrailException | RuntimeException | Error e) { // also when memory is short: half a message may be out
            end(e);
            LOG.error("a message to {} could not be encoded; closing the connection", peer, e);
            return 0;
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
        int received = 0;
        try {
            ByteBuffer message = nextMessage();
            while (message != null) {
                received++;
                taken++;
                receiver.onMessage(message);
                message = nextMessage();
            }
        } catch (CrailException e) {
            PEER_LOG.warn("{}: {}; closing the connection", peer, e.getMessage());
            end(e);
        } catch (RuntimeException | Error e) {
            end(e);
            PEER_LOG.error("a message of {} could not be handled; closing the connection", peer, e);
        } finally {
            delivering = false;
            count(-unanswered.answered(received));
        }
    }

    private ByteBuffer nextMessage() throws CrailException {
        output.flushIfMuch();
        boolean stopped = ended || closedHere || (isServer() && channel.isActive() && !channel.isWritable());
        return stopped ? null : input.next();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        endRead();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!isServer()) {
            return;
        }
        boolean writable = channel.isWritable();
        channel.config().setAutoRead(writable);
        if (delivering) {
            return; // its end does the rest
        }
        if (writable) {
            channel.eventLoop().execute(this::resume);
        } else {
            countBegun();
        }
    }

    private void resume() {
        deliver();
        endRead();
    }

    /**
     * Ends a client that has begun a message and does not send the rest: what it has sent keeps memory. One that is not
     * read from, as it leaves its answers, is not meant.
     */
    private void watchBegunMessage() {
        if (isServer() && !isWatched && input.isBegun()) {
            isWatched = true;
            long number = taken;
            Future<?> ignored =
                    channel.eventLoop().schedule(() -> endIfStillBegun(number), BEGUN_LIMIT_S, TimeUnit.SECONDS);
        }
    }

    private void endIfStillBegun(long number) {
        isWatched = false;
        if (!ended && taken == number && input.isBegun() && channel.isWritable()) {
            PEER_LOG.warn("{} has sent no more of a message for {} s; closing the connection", peer, BEGUN_LIMIT_S);
            end(new ProtocolMismatchException("a message was begun and not sent on for " + BEGUN_LIMIT_S + " s"));
        } else if (!ended) {
            watchBegunMessage();
        }
    }

    /** Over memory the usual buffer is kept: to take one for each message costs more than the copy. */
    private void endRead() {
        if (overMemory) {
            input.releaseIfEmptyAndLarge();
        } else {
            input.releaseIfEmpty();
        }
        output.flush();
        watchBegunMessage();
        countBegun();
    }

    /**
     * What a client has sent from which this server does not read, as it leaves its answers, is not meant here either.
     */
    private void countBegun() {
        countBegun(channel.isWritable() ? input.begunBytes() : 0);
    }

    private void countBegun(int bytes) {
        if (isServer() && bytes != begunBytes) {
            begunBytes = bytes;
            begun.hold(this, bytes);
        }
    }

    /**
     * Ends if something is still begun, as there is too much of that. It is not counted any more, and is again when
     * more comes. Any thread may call this.
     */
    void endBegun(long limitBytes) {
        executeUnlessShutDown(() -> {
            countBegun(0);
            if (!ended && input.isBegun() && channel.isWritable()) {
                PEER_LOG.warn(
                        "{} has begun a message, and all clients more than the {} bytes that these may hold; closing the"
                                + " connection",
                        peer,
                        limitBytes);
                end(new ProtocolMismatchException("a message was begun and not sent on while others need the memory"));
            }
        });
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
        count(-unanswered.end());
        countBegun(0);
        input.release();
        output.release();
    }
}

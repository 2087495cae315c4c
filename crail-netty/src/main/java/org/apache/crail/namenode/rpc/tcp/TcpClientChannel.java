/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.netty.SharedEventLoop;
import org.apache.crail.netty.TargetedReceive;
import org.apache.crail.rpc.message.Encodable;

/**
 * A client's end of a connection over a socket. A thread that waits runs the loop, if that is lent
 * ({@link SharedEventLoop}). Unhurried messages wait in the queue for the next one. Thread safe as {@link
 * TcpRpcChannel} says.
 */
final class TcpClientChannel extends TcpRpcChannel {
    /** How long an unhurried message waits for another one. */
    private static final long UNHURRIED_MS = 1;

    private final SharedEventLoop loop; // null over NIO
    private final Unanswered unanswered = new Unanswered();
    private final AtomicBoolean drainPlanned = new AtomicBoolean();

    private TcpClientChannel(Channel channel) {
        super(channel);
        this.loop = SharedEventLoop.of(channel.eventLoop());
    }

    /** Makes a connection over {@code channel}, which does not read yet. */
    static TcpClientChannel over(Channel channel, Receiver receiver) {
        TcpClientChannel connection = new TcpClientChannel(channel);
        connection.receiver(receiver);
        TargetedReceive.install(channel, connection, READS_PER_EVENT);
        channel.pipeline().addLast(connection);
        return connection;
    }

    /** Lets a channel that does not read yet read. */
    void startReading() {
        channel.config().setAutoRead(true);
    }

    @Override
    public void sendAwaited(Encodable message) {
        send(message, true);
    }

    @Override
    void onQueued(boolean isAwaited) {
        if (loop != null) {
            loop.onRequest(isAwaited);
        }
    }

    @Override
    public void sendWithNext(Encodable message) {
        queue.offer(new Unhurried(message));
        if (!isDrainScheduled() && drainPlanned.compareAndSet(false, true)) {
            Future<?> ignored = SharedTimer.after(UNHURRIED_MS, this::drainLeftovers);
        }
    }

    private void drainLeftovers() {
        drainPlanned.set(false);
        if (!queue.isEmpty() && !runHere(drain)) {
            scheduleDrain();
        }
    }

    @Override
    boolean runHere(Runnable task) {
        return loop != null && loop.runHere(task);
    }

    @Override
    public void await(BooleanSupplier hasCome, IdleStrategy idle, long limitNs) {
        if (loop != null) {
            loop.advance(hasCome, limitNs);
        }
        super.await(hasCome, idle, limitNs);
    }

    @Override
    void onSent(Encodable message) {
        if (loop != null) {
            count(unanswered.sent(!(message instanceof Unhurried)));
        }
    }

    @Override
    void onReceived(int messages) {
        count(-unanswered.answered(messages));
    }

    /** Counts requests that somebody may wait for. */
    private void count(int requests) {
        if (requests != 0) {
            loop.count(requests);
        }
    }

    @Override
    void endRead() {
        input.releaseIfEmpty();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        super.handlerRemoved(context);
        count(-unanswered.end());
    }
}

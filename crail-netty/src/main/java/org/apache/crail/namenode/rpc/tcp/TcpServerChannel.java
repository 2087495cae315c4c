/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.netty.FrameSink;
import org.apache.crail.netty.TargetedReceive;

/**
 * A server's end of a connection, over a socket or memory. It stops reading while its answers pile up. A client that
 * begins a message and does not send the rest is closed: what it has sent keeps memory. Thread safe as {@link
 * TcpRpcChannel} says.
 */
final class TcpServerChannel extends TcpRpcChannel {
    /** How long a client may take for the rest of a message. */
    static final int BEGUN_LIMIT_S = 30;

    private final BegunMessages begun;
    private int begunBytes; // as counted there
    private long received; // messages
    private boolean isWatched;
    private boolean overMemory;

    /**
     * Makes a connection over {@code channel}, whose pipeline it is not in yet.
     *
     * @param begun counts what clients have begun to send
     */
    TcpServerChannel(Channel channel, BegunMessages begun) {
        super(channel);
        this.begun = begun;
        TargetedReceive.install(channel, this, READS_PER_EVENT);
    }

    /** Goes over to memory. */
    void goOver(FrameSink memory) {
        overMemory = true;
        sendThrough(memory);
    }

    @Override
    void onReceived(int messages) {
        received += messages;
    }

    @Override
    boolean mayTake() {
        return channel.isWritable() || !channel.isActive();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        boolean isWritable = channel.isWritable();
        channel.config().setAutoRead(isWritable);
        if (isDelivering()) {
            return; // its end does the rest
        }
        if (isWritable) {
            channel.eventLoop().execute(this::resume);
        } else {
            countBegun();
        }
    }

    /** Over memory the usual buffer is kept: to take one for each message costs more than the copy. */
    @Override
    void endRead() {
        if (overMemory) {
            input.releaseIfEmptyAndLarge();
        } else {
            input.releaseIfEmpty();
        }
        watchBegunMessage();
        countBegun();
    }

    /** A client that is not read from, as it leaves its answers, is not meant. */
    private void watchBegunMessage() {
        if (!isWatched && input.isBegun()) {
            isWatched = true;
            long before = received;
            Future<?> ignored =
                    channel.eventLoop().schedule(() -> endIfStillBegun(before), BEGUN_LIMIT_S, TimeUnit.SECONDS);
        }
    }

    private void endIfStillBegun(long before) {
        isWatched = false;
        if (!hasEnded() && received == before && input.isBegun() && channel.isWritable()) {
            PEER_LOG.warn("{} has sent no more of a message for {} s; closing the connection", peer(), BEGUN_LIMIT_S);
            end(new ProtocolMismatchException("a message was begun and not sent on for " + BEGUN_LIMIT_S + " s"));
        } else if (!hasEnded()) {
            watchBegunMessage();
        }
    }

    /** What a client has sent that is not read, as it leaves its answers, is not meant here either. */
    private void countBegun() {
        countBegun(channel.isWritable() ? input.begunBytes() : 0);
    }

    private void countBegun(int bytes) {
        if (bytes != begunBytes) {
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
            if (!hasEnded() && input.isBegun() && channel.isWritable()) {
                PEER_LOG.warn(
                        "{} has begun a message, and all clients more than the {} bytes that these may hold;"
                                + " closing the connection",
                        peer(),
                        limitBytes);
                end(new ProtocolMismatchException("a message was begun and not sent on while others need the memory"));
            }
        });
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        super.handlerRemoved(context);
        countBegun(0);
    }
}

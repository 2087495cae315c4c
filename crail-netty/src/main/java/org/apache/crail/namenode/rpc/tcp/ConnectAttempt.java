/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.LocalSocket;
import org.apache.crail.netty.MemoryHandler;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.netty.SocketConnector;
import org.apache.crail.rpc.transport.RpcChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt to connect to a namenode: over TCP, and if that ends on this host, from there to the namenode's Unix
 * domain socket, as far as there is one that can be reached, and to memory there. Confined to its event loop but for
 * {@link #start}.
 */
final class ConnectAttempt {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectAttempt.class);

    private final InetSocketAddress address;
    private final RpcChannel.Receiver receiver;
    private final EventLoops loops;
    private final EventLoop loop;
    private final ChannelGroup channels;
    private final long deadlineNs;
    private final boolean mayUseLocalSocket;
    private final boolean mayShareMemory;
    private final CompletableFuture<RpcChannel> result = new CompletableFuture<>();

    /**
     * Prepares an attempt.
     *
     * @param channels gets each channel that is made
     * @param mayUseLocalSocket whether the server may be asked for its Unix domain socket
     * @param mayShareMemory whether it may be asked there for memory
     */
    ConnectAttempt(
            InetSocketAddress address,
            int timeoutMs,
            RpcChannel.Receiver receiver,
            EventLoops loops,
            ChannelGroup channels,
            boolean mayUseLocalSocket,
            boolean mayShareMemory) {
        this.address = address;
        this.receiver = receiver;
        this.loops = loops;
        this.loop = loops.next();
        this.channels = channels;
        this.mayUseLocalSocket = mayUseLocalSocket;
        this.mayShareMemory = mayShareMemory;
        this.deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }

    /** Begins; the future completes with a connection that the receiver has been set for. */
    CompletableFuture<RpcChannel> start() {
        SocketConnector.connect(loops, loop, address, leftMs(), channels::add)
                .addListener((ChannelFuture done) -> onConnected(done));
        return result;
    }

    private int leftMs() {
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime()));
    }

    private void onConnected(ChannelFuture done) {
        Channel channel = done.channel();
        if (!done.isSuccess()) {
            fail(SocketAddresses.connectFailure(done.cause()), done.cause());
        } else if (SocketAddresses.isSelfConnected(channel)) {
            channel.close();
            fail("nobody listens there", null);
        } else if (!channel.isActive()) { // no handler was there to be told
            fail("it closed the connection at once", null);
        } else if (mayUseLocalSocket && SocketAddresses.isSameHost(channel)) {
            new Question(channel).ask();
        } else {
            TcpClientChannel connection = TcpClientChannel.over(channel, receiver);
            deliver(connection);
            connection.startReading();
        }
    }

    private void deliver(RpcChannel connection) {
        if (!result.complete(connection)) {
            connection.close();
        }
    }

    private void fail(String why, Throwable cause) {
        result.completeExceptionally(unreachable(address, why, cause));
    }

    static NamenodeUnreachableException unreachable(InetSocketAddress address, String why, Throwable cause) {
        return new NamenodeUnreachableException(
                "namenode " + SocketAddresses.text(address) + " cannot be reached: " + why
                        + "; check crail.namenode.address and that the namenode runs",
                cause);
    }

    /** Asks, over a new TCP connection, for the Unix domain socket, and goes there or stays. */
    private final class Question implements RpcChannel.Receiver {
        private final Channel channel;
        private final TcpClientChannel tcp;
        private Future<?> limit;
        private Channel local;
        private boolean answered;

        Question(Channel channel) {
            this.channel = channel;
            this.tcp = TcpClientChannel.over(channel, this);
        }

        void ask() {
            limit = loop.schedule(this::onLate, leftMs(), TimeUnit.MILLISECONDS);
            tcp.send(ShortcutMessage.EMPTY);
            tcp.startReading();
        }

        private void onLate() {
            tcp.close();
            closeLocal();
            fail("it accepts connections but did not answer in time; look whether it hangs", null);
        }

        private void closeLocal() {
            if (local != null) {
                local.close();
            }
        }

        @Override
        public void onMessage(ByteBuffer message) {
            if (answered) {
                onClosed(new ProtocolMismatchException("it sent a message that was not asked for"));
                tcp.close();
                return;
            }
            answered = true;
            LocalSocket socket = socketIn(message);
            if (socket == null || !socket.isBehind(channel)) {
                stay();
            } else {
                SocketConnector.connect(loops, loop, socket, leftMs(), channels::add)
                        .addListener((ChannelFuture done) -> onLocalConnect(done, socket));
            }
        }

        private LocalSocket socketIn(ByteBuffer message) {
            try {
                return message.hasRemaining() ? LocalSocket.decode(message).orElse(null) : null;
            } catch (ProtocolMismatchException e) {
                LOG.warn("{}: {}; using TCP", tcp.peer(), e.getMessage());
                return null;
            }
        }

        private void onLocalConnect(ChannelFuture done, LocalSocket socket) {
            local = done.channel();
            if (result.isDone()) {
                local.close();
                return;
            }
            if (!done.isSuccess() || !local.isActive()) {
                LOG.debug("{}: its socket {} cannot be reached, using TCP", tcp.peer(), socket.path(), done.cause());
                stay();
            } else if (mayShareMemory && socket.isOfThisUser() && MemoryHandler.isPossible(local)) {
                new MemoryQuestion(local, receiver, this::onMemoryAnswer).ask();
            } else {
                TcpClientChannel connection = TcpClientChannel.over(local, receiver);
                goOver(connection);
                connection.startReading();
            }
        }

        private void onMemoryAnswer(Optional<RpcChannel> connection) {
            if (connection.isPresent()) {
                goOver(connection.get());
            } else {
                LOG.debug("{}: nothing came of the connection over its socket, using TCP", tcp.peer());
                stay();
            }
        }

        private void goOver(RpcChannel connection) {
            limit.cancel(false);
            local = null; // it is the caller's
            deliver(connection);
            tcp.close();
        }

        private void stay() {
            limit.cancel(false);
            if (channel.isActive()) {
                tcp.receiver(receiver);
                deliver(tcp);
            } else {
                fail("it closed the connection at once", null);
            }
        }

        @Override
        public void onClosed(Throwable cause) {
            limit.cancel(false);
            closeLocal();
            fail(
                    cause instanceof CrailException known ? known.getMessage() : "it closed the connection at once",
                    cause);
        }
    }
}

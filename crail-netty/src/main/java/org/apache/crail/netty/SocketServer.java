/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server of either plane listens on: its port, and a Unix domain socket for clients on its host, if there is to
 * be one. All methods are thread safe; the threads stay the caller's.
 */
public final class SocketServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SocketServer.class);
    private static final PeerLog REFUSALS = new PeerLog(LOG);
    private static final int BACKLOG = 1024;
    private static final long CLOSE_LIMIT_MS = 5_000;
    private static final long PAUSE_MS = 1_000;

    private final EventLoops loops;
    private final Service service;
    private final ChannelGroup accepted = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Channel port;
    private Channel local;
    private volatile Path localPath;
    private boolean closed;

    /**
     * What is served.
     *
     * @param name who serves, for messages
     * @param portSetting what chooses the port, for messages
     * @param unreadReplies of how many bytes of replies that a client has not taken its channel becomes unwritable
     * @param onConnection gets each connection before anything is read from it
     */
    public record Service(
            String name, String portSetting, WriteBufferWaterMark unreadReplies, Consumer<Channel> onConnection) {}

    /**
     * Takes the port; nobody is accepted before {@link #start}.
     *
     * @throws org.apache.crail.error.ConfigurationException if the address cannot be taken
     */
    public SocketServer(EventLoops loops, InetSocketAddress address, Service service) throws CrailException {
        this.loops = loops;
        this.service = service;
        ChannelFuture bound = bootstrap(address)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw SocketAddresses.bindError(service.name(), address, service.portSetting(), bound.cause());
        }
        this.port = bound.channel();
    }

    private ServerBootstrap bootstrap(SocketAddress address) {
        return new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverChannelType(address))
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .handler(new Refusals())
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, service.unreadReplies())
                .childHandler(new Initializer());
    }

    /** Accepts connections; over a Unix domain socket in this directory too, if there is one and it can be used. */
    public synchronized void start(Optional<SocketDirectory> directory) {
        if (!closed) {
            directory.ifPresent(this::listenLocally);
            port.config().setAutoRead(true);
        }
    }

    private void listenLocally(SocketDirectory directory) {
        try {
            localPath = directory.bind(this::bindLocally);
        } catch (ConfigurationException | RuntimeException e) {
            if (local != null) {
                end(local.close());
                local = null;
            }
            LOG.warn(
                    "{} at {} serves clients on its host over TCP only: {}",
                    service.name(),
                    SocketAddresses.text(address()),
                    e.getMessage(),
                    e instanceof RuntimeException ? e : null);
        }
    }

    private void bindLocally(Path path) throws IOException {
        SocketAddress address = loops.localAddress(path);
        ChannelFuture bound = bootstrap(address).bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "no socket can be made at " + path + ": " + bound.cause().getMessage());
        }
        local = bound.channel();
    }

    /** Where it listens, with the port that was chosen. */
    public InetSocketAddress address() {
        return (InetSocketAddress) port.localAddress();
    }

    /**
     * What to tell a client about the Unix domain socket; nothing if there is none or the client is on another host.
     */
    public Optional<LocalSocket> localSocket(Channel client) {
        return localPath != null
                        && SocketAddresses.isSameHost(client)
                        && client.localAddress() instanceof InetSocketAddress server
                ? Optional.of(new LocalSocket(server, localPath))
                : Optional.empty();
    }

    /** Whether the port is open. */
    public boolean isListening() {
        return port.isActive();
    }

    /** The connections that are open. */
    public Set<Channel> connections() {
        return accepted;
    }

    /** Stops to listen and ends the connections; waits for that, for a bounded time. */
    @Override
    public synchronized void close() {
        closed = true;
        end(port.close());
        if (local != null) {
            end(local.close()); // which removes the file
        }
        end(accepted.close());
    }

    private void end(Future<?> ending) {
        if (!loops.isInside()) {
            ending.awaitUninterruptibly(CLOSE_LIMIT_MS);
        }
    }

    /**
     * Tells when the system gives no connection, and accepts none for a while: those who wait make the loop try again
     * at once otherwise, and are served when descriptors are free again. Netty's own pause is made by a handler behind
     * this one, which would write each failure to the log, too.
     */
    @ChannelHandler.Sharable
    private final class Refusals extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            pause(context.channel());
            REFUSALS.warn(
                    "{} at {} cannot accept connections, and tries on: {}; raise its limit of descriptors, or have"
                            + " fewer clients",
                    service.name(),
                    context.channel().localAddress(),
                    cause.getMessage());
        }

        private void pause(Channel listening) {
            if (listening.config().isAutoRead()) {
                listening.config().setAutoRead(false);
                Future<?> ignored = listening
                        .eventLoop()
                        .schedule(() -> listening.config().setAutoRead(true), PAUSE_MS, TimeUnit.MILLISECONDS);
            }
        }
    }

    private final class Initializer extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            accepted.add(channel);
            SendBuffer.bound(channel);
            service.onConnection().accept(channel);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.netty.TargetedReceive;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * The metadata transport over TCP, both ends; the name is the one that configurations for Crail 1.x hold. Threads and
 * sockets are made when they are first needed. Methods are thread safe after {@link #init}.
 */
public final class TcpNameNode implements RpcTransport {
    private static final long CLOSE_LIMIT_MS = 5_000;

    private final boolean preferEpoll;
    private final ChannelGroup connected = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final List<TcpRpcServer> servers = new ArrayList<>();
    private int serverThreads;
    private EventLoops clientLoops;
    private EventLoops serverLoops;
    private boolean closed;

    /** Makes a transport; {@link #init} comes next. */
    public TcpNameNode() {
        this(true);
    }

    TcpNameNode(boolean preferEpoll) {
        this.preferEpoll = preferEpoll;
    }

    @Override
    public void init(CrailConfiguration configuration) throws CrailException {
        serverThreads = configuration.get(TcpTierKeys.NAMENODE_CORES);
    }

    @Override
    public CompletableFuture<RpcChannel> connect(
            InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
        CompletableFuture<RpcChannel> future = new CompletableFuture<>();
        try {
            if (address.isUnresolved()) {
                throw unreachable(address, "the host name cannot be resolved", null);
            }
            connect(address, timeoutMs, receiver, future);
        } catch (CrailException e) {
            future.completeExceptionally(e);
        } catch (RejectedExecutionException e) {
            future.completeExceptionally(closedError(e));
        }
        return future;
    }

    private void connect(
            InetSocketAddress address,
            int timeoutMs,
            RpcChannel.Receiver receiver,
            CompletableFuture<RpcChannel> future)
            throws CrailException {
        EventLoops loops = clientLoops();
        new Bootstrap()
                .group(loops.next())
                .channel(loops.socketType())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.max(1, timeoutMs))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connected.add(channel);
                    }
                })
                .connect(address)
                .addListener((ChannelFuture done) -> onConnected(done, address, receiver, future));
    }

    private void onConnected(
            ChannelFuture done,
            InetSocketAddress address,
            RpcChannel.Receiver receiver,
            CompletableFuture<RpcChannel> future) {
        Channel channel = done.channel();
        if (!done.isSuccess()) {
            Throwable cause = done.cause();
            future.completeExceptionally(unreachable(address, SocketAddresses.connectFailure(cause), cause));
        } else if (SocketAddresses.isSelfConnected(channel)) {
            channel.close();
            future.completeExceptionally(unreachable(address, "nobody listens there", null));
        } else if (!channel.isActive()) { // no handler was there to be told
            future.completeExceptionally(unreachable(address, "it closed the connection at once", null));
        } else {
            TcpRpcChannel connection = new TcpRpcChannel(channel, false);
            connection.receiver(receiver);
            channel.config().setRecvByteBufAllocator(new TargetedReceive(connection, TcpRpcServer.READS_PER_EVENT));
            channel.pipeline().addLast(connection);
            if (!future.complete(connection)) {
                connection.close();
            }
            channel.config().setAutoRead(true);
        }
    }

    private static NamenodeUnreachableException unreachable(InetSocketAddress address, String why, Throwable cause) {
        return new NamenodeUnreachableException(
                "namenode " + SocketAddresses.text(address) + " cannot be reached: " + why
                        + "; check crail.namenode.address and that the namenode runs",
                cause);
    }

    @Override
    public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) throws CrailException {
        TcpRpcServer server = new TcpRpcServer(serverLoops(), address, acceptor);
        synchronized (this) {
            if (!closed) {
                servers.add(server);
                return server;
            }
        }
        server.close();
        throw closedError(null);
    }

    private synchronized EventLoops clientLoops() throws CrailException {
        requireOpen();
        if (clientLoops == null) {
            clientLoops = EventLoops.create("crail-rpc-client", 0, preferEpoll);
        }
        return clientLoops;
    }

    private synchronized EventLoops serverLoops() throws CrailException {
        requireOpen();
        if (serverLoops == null) {
            serverLoops = EventLoops.create("crail-rpc-server", serverThreads, preferEpoll);
        }
        return serverLoops;
    }

    private void requireOpen() throws CrailException {
        if (closed) {
            throw closedError(null);
        }
    }

    private static ClosedException closedError(Throwable cause) {
        return new ClosedException("the metadata transport has been closed; make another one", cause);
    }

    @Override
    public void close() {
        List<EventLoops> loops = new ArrayList<>();
        List<TcpRpcServer> open;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(servers);
            addIfMade(loops, serverLoops);
            addIfMade(loops, clientLoops);
        }
        open.forEach(TcpRpcServer::close);
        if (loops.stream().noneMatch(EventLoops::isInside)) {
            connected.close().awaitUninterruptibly(CLOSE_LIMIT_MS);
        } else {
            connected.close();
        }
        loops.forEach(EventLoops::close);
    }

    private static void addIfMade(List<EventLoops> loops, EventLoops made) {
        if (made != null) {
            loops.add(made);
        }
    }
}

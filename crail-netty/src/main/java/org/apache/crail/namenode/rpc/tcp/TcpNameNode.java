/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.SocketDirectory;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * The metadata transport over sockets, both ends: TCP, or on one host Unix domain sockets and memory; the name is the
 * one that configurations for Crail 1.x hold. Threads and sockets are made when they are first needed. Methods are
 * thread safe after {@link #init}.
 */
public final class TcpNameNode implements RpcTransport {
    private static final long CLOSE_LIMIT_MS = 5_000;

    private final boolean preferEpoll;
    private final ChannelGroup connected = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final List<TcpRpcServer> servers = new ArrayList<>();
    private int serverThreads;
    private Optional<SocketDirectory> localSockets = Optional.empty();
    private boolean mayShareMemory;
    private IdleStrategy.Kind idle = IdleStrategy.Kind.BACKOFF;
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
        localSockets = SocketDirectory.of(configuration);
        mayShareMemory = configuration.get(TcpTierKeys.NAMENODE_MAPPED);
        idle = IdleStrategy.Kind.of(configuration.get(CrailKeys.IDLE_STRATEGY));
    }

    @Override
    public CompletableFuture<RpcChannel> connect(
            InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
        try {
            if (address.isUnresolved()) {
                throw ConnectAttempt.unreachable(address, "the host name cannot be resolved", null);
            }
            return new ConnectAttempt(
                            address,
                            timeoutMs,
                            receiver,
                            clientLoops(),
                            connected,
                            localSockets.isPresent(),
                            mayShareMemory)
                    .start();
        } catch (CrailException e) {
            return CompletableFuture.failedFuture(e);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(closedError(e));
        }
    }

    @Override
    public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) throws CrailException {
        TcpRpcServer server = new TcpRpcServer(serverLoops(), address, localSockets, mayShareMemory, acceptor);
        synchronized (this) {
            if (!closed) {
                servers.add(server);
                return server;
            }
        }
        server.close();
        throw closedError(null);
    }

    /** Gives the threads of connections to namenodes to other connections of the same store. */
    @Override
    public <T> Optional<T> threads(Class<T> kind) throws CrailException {
        return kind == EventLoops.class ? Optional.of(kind.cast(clientLoops())) : Optional.empty();
    }

    /** The threads of connections to namenodes. */
    synchronized EventLoops clientLoops() throws CrailException {
        requireOpen();
        if (clientLoops == null) {
            clientLoops = EventLoops.createShared("crail-client", 0, preferEpoll, idle);
        }
        return clientLoops;
    }

    private synchronized EventLoops serverLoops() throws CrailException {
        requireOpen();
        if (serverLoops == null) {
            serverLoops = EventLoops.create("crail-rpc-server", serverThreads, preferEpoll, idle);
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

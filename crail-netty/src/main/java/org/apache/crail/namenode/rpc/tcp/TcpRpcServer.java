/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import org.apache.crail.error.CrailException;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.netty.TargetedReceive;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections on one address. All methods are thread safe. */
final class TcpRpcServer implements RpcServer {
    static final int READS_PER_EVENT = 8;

    private static final Logger LOG = LoggerFactory.getLogger(TcpRpcServer.class);
    private static final int BACKLOG = 1024;
    private static final WriteBufferWaterMark UNREAD_REPLIES = new WriteBufferWaterMark(64 * 1024, 256 * 1024);
    private static final long CLOSE_LIMIT_MS = 5_000;

    private final EventLoops loops;
    private final ChannelGroup accepted = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Channel listening;

    /** Listens; the threads stay the caller's. */
    TcpRpcServer(EventLoops loops, InetSocketAddress address, Acceptor acceptor) throws CrailException {
        this.loops = loops;
        ChannelFuture bound = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverSocketType())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNREAD_REPLIES)
                .childHandler(new Initializer(acceptor))
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw SocketAddresses.bindError("the namenode", address, "-p or crail.namenode.address", bound.cause());
        }
        this.listening = bound.channel();
    }

    @Override
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** Connections that are open. */
    int connections() {
        return accepted.size();
    }

    @Override
    public void close() {
        ChannelFuture ended = listening.close();
        if (loops.isInside()) {
            accepted.close();
        } else {
            ended.awaitUninterruptibly(CLOSE_LIMIT_MS);
            accepted.close().awaitUninterruptibly(CLOSE_LIMIT_MS);
        }
    }

    private final class Initializer extends ChannelInitializer<Channel> {
        private final Acceptor acceptor;

        Initializer(Acceptor acceptor) {
            this.acceptor = acceptor;
        }

        @Override
        protected void initChannel(Channel channel) {
            accepted.add(channel);
            TcpRpcChannel connection = new TcpRpcChannel(channel, true);
            channel.config().setRecvByteBufAllocator(new TargetedReceive(connection, READS_PER_EVENT));
            RpcChannel.Receiver receiver;
            try {
                receiver = acceptor.accept(connection);
            } catch (RuntimeException e) {
                LOG.error("the connection of {} was not accepted", connection.peer(), e);
                channel.close();
                return;
            }
            connection.receiver(receiver);
            channel.pipeline().addLast(connection);
        }
    }
}

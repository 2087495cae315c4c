/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Consumer;

/** Connects clients of both planes. Nothing is read from a new channel until its owner turns reading on. Stateless. */
public final class SocketConnector {
    private SocketConnector() {}

    /**
     * Begins to connect over TCP.
     *
     * @param onChannel gets the channel before it is connected, inside {@code loop}
     */
    public static ChannelFuture connect(
            EventLoops loops, EventLoop loop, InetSocketAddress address, int timeoutMs, Consumer<Channel> onChannel) {
        return bootstrap(loops, loop, address, timeoutMs, onChannel)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .connect(address)
                .addListener((ChannelFuture made) -> {
                    if (made.isSuccess()) {
                        SendBuffer.bound(made.channel());
                    }
                });
    }

    /** As above, to a server's Unix domain socket. */
    public static ChannelFuture connect(
            EventLoops loops, EventLoop loop, LocalSocket socket, int timeoutMs, Consumer<Channel> onChannel) {
        SocketAddress address = loops.localAddress(socket.path());
        return bootstrap(loops, loop, address, timeoutMs, onChannel).connect(address);
    }

    private static Bootstrap bootstrap(
            EventLoops loops, EventLoop loop, SocketAddress address, int timeoutMs, Consumer<Channel> onChannel) {
        return new Bootstrap()
                .group(loop)
                .channel(loops.channelType(address))
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.max(1, timeoutMs))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        onChannel.accept(channel);
                    }
                });
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server of one thread, some of whose connections ask and wait, again and again. */
class EagerReadTest {
    private static final int LIMIT_S = 20;
    private static final int SOME = 100;
    private static final int MANY = 20_000;
    private static final byte PING = 1;
    private static final byte STOP_READING = 2;

    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();
    private final CompletableFuture<Channel> stopped = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private final AtomicInteger heard = new AtomicInteger();
    private final AtomicInteger unasked = new AtomicInteger();
    private EventLoops loops;
    private SocketServer server;

    @BeforeEach
    void start() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        loops = EventLoops.create("test", 1);
        server = new SocketServer(
                loops,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new SocketServer.Service("a server", "a setting", WriteBufferWaterMark.DEFAULT, channel -> {
                    Echo echo = new Echo();
                    TargetedReceive.install(channel, echo, 1);
                    channel.pipeline().addLast(echo);
                    accepted.complete(channel);
                }));
        server.start(Optional.empty());
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
            loops.close();
        }
    }

    /** Sends back what comes. */
    private final class Echo extends ChannelInboundHandlerAdapter implements ReceiveTarget {
        @Override
        public ByteBuf receiveBuffer(ByteBufAllocator allocator) {
            return allocator.directBuffer(1, 1);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            heard.incrementAndGet();
            if (StackWalker.getInstance().walk(frames -> frames.anyMatch(EagerReadTest::isEagerRead))) {
                unasked.incrementAndGet();
            }
            if (((ByteBuf) message).getByte(0) == STOP_READING) {
                context.channel().config().setAutoRead(false);
                stopped.complete(context.channel());
            }
            context.writeAndFlush(message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            left.complete(null);
        }
    }

    private static boolean isEagerRead(StackWalker.StackFrame frame) {
        return frame.getClassName().equals(EagerRead.class.getName());
    }

    private static void ask(RawSocket socket) throws Exception {
        socket.send(PING);
        socket.receiveBytes(1);
    }

    private static void ask(RawSocket socket, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            ask(socket);
        }
    }

    @Test
    void shouldReadOneThatAsksAndWaitsWithoutLookingForIt() throws Exception {
        try (RawSocket socket = new RawSocket(server.address())) {
            while (unasked.get() == 0 && heard.get() < MANY) {
                ask(socket);
            }
        }
        assertThat(unasked).hasPositiveValue();
    }

    @Test
    void shouldServeOthersBesideOneThatNeverPauses() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        try (RawSocket busy = new RawSocket(server.address());
                RawSocket other = new RawSocket(server.address())) {
            FutureTask<Void> asking = new FutureTask<>(() -> {
                while (!enough.get()) {
                    ask(busy);
                }
                return null;
            });
            new Thread(asking, "busy").start();
            ask(other, SOME);
            enough.set(true);
            asking.get(LIMIT_S, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldAskForAllAfterAFewLooks() throws Exception {
        try (RawSocket socket = new RawSocket(server.address())) {
            ask(socket);
            Channel channel = accepted.get(LIMIT_S, TimeUnit.SECONDS);
            channel.eventLoop().submit(() -> lookAt(channel)).get(LIMIT_S, TimeUnit.SECONDS);
        }
    }

    /** In the channel's loop, which has sent all then. */
    private static void lookAt(Channel channel) {
        EagerRead read = new EagerRead();
        assertThat(read.beginLook()).isFalse();
        read.heardFrom(channel, 1);
        assertThat(read.beginLook()).isFalse();
        read.heardFrom(channel, 1);
        for (int i = 0; i < EagerRead.MOST_IN_A_ROW; i++) {
            assertThat(read.beginLook()).isTrue();
            read.heardFrom(channel, 1);
        }
        assertThat(read.beginLook()).isFalse();
        assertThat(read.beginLook()).isTrue();
        read.heardFrom(channel, EagerRead.MOST_BYTES + 1);
        assertThat(read.beginLook()).isFalse();
        read.expect(channel);
        assertThat(read.beginLook()).isTrue();
        read.expect(null);
        assertThat(read.beginLook()).isFalse();
    }

    @Test
    void shouldSeeTheEndOfAConnectionThatItReads() throws Exception {
        try (RawSocket socket = new RawSocket(server.address())) {
            ask(socket, SOME);
        }
        left.get(LIMIT_S, TimeUnit.SECONDS);
    }

    @Test
    void shouldReadNothingWhileReadingIsTurnedOff() throws Exception {
        try (RawSocket socket = new RawSocket(server.address())) {
            ask(socket, SOME);
            socket.send(STOP_READING, PING);
            Channel channel = stopped.get(LIMIT_S, TimeUnit.SECONDS);
            for (int i = 0; i < SOME; i++) {
                channel.eventLoop().submit(() -> {}).get(LIMIT_S, TimeUnit.SECONDS);
            }
            assertThat(heard).hasValue(SOME + 1);

            channel.config().setAutoRead(true);
            socket.receiveBytes(2);
            assertThat(heard).hasValue(SOME + 2);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.crail.internal.IdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SocketServerTest {
    private static final int CONNECT_LIMIT_MS = 10_000;

    @TempDir
    private Path temporary;

    private static SocketServer listen(EventLoops loops) throws Exception {
        return listen(loops, channel -> {});
    }

    private static SocketServer listen(EventLoops loops, Consumer<Channel> onConnection) throws Exception {
        return new SocketServer(
                loops,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new SocketServer.Service("a server", "a setting", WriteBufferWaterMark.DEFAULT, onConnection));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHoldLittleForAnEndOnTheSameHost(boolean epoll) throws Exception {
        CompletableFuture<Integer> near = new CompletableFuture<>();
        CompletableFuture<Integer> far = new CompletableFuture<>();
        try (EventLoops loops = EventLoops.create("test", 1, epoll, IdleStrategy.Kind.BACKOFF);
                SocketServer server = listen(loops, accepted -> far.complete(sendBuffer(accepted)))) {
            server.start(Optional.empty());
            SocketConnector.connect(loops, loops.next(), server.address(), CONNECT_LIMIT_MS, channel -> {})
                    .addListener((ChannelFuture made) -> {
                        if (made.isSuccess()) {
                            near.complete(sendBuffer(made.channel()));
                        } else {
                            near.completeExceptionally(made.cause());
                        }
                    });
            int most = 2 * SendBuffer.SAME_HOST_BYTES; // Linux tells twice what was asked for
            assertThat(near.get(CONNECT_LIMIT_MS, TimeUnit.MILLISECONDS)).isBetween(SendBuffer.SAME_HOST_BYTES, most);
            assertThat(far.get(CONNECT_LIMIT_MS, TimeUnit.MILLISECONDS)).isBetween(SendBuffer.SAME_HOST_BYTES, most);
        }
    }

    private static int sendBuffer(Channel connection) {
        return connection.config().getOption(ChannelOption.SO_SNDBUF);
    }

    /** Else the loop tries again at once, as long as somebody waits, without a pause. */
    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    void shouldPauseWhenTheSystemGivesNoConnection(boolean epoll, boolean local) throws Exception {
        BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
        try (EventLoops loops = EventLoops.create("test", 1, epoll, IdleStrategy.Kind.BACKOFF);
                SocketServer server = listen(loops, accepted::add)) {
            server.start(Optional.of(new SocketDirectory(temporary)));
            connect(loops, server, local);
            Channel listening = next(accepted).parent();

            Future<Boolean> accepts = listening.eventLoop().submit(() -> {
                listening.pipeline().fireExceptionCaught(new IOException("Too many open files"));
                return listening.config().isAutoRead();
            });
            assertThat(accepts.get()).as("it goes on to accept").isFalse();

            connect(loops, server, local);
            assertThat(next(accepted).parent()).as("served after the pause by").isSameAs(listening);
        }
    }

    private void connect(EventLoops loops, SocketServer server, boolean local) throws Exception {
        if (local) {
            LocalSocket socket = new LocalSocket(server.address(), socket());
            SocketConnector.connect(loops, loops.next(), socket, CONNECT_LIMIT_MS, channel -> {});
        } else {
            SocketConnector.connect(loops, loops.next(), server.address(), CONNECT_LIMIT_MS, channel -> {});
        }
    }

    private static Channel next(BlockingQueue<Channel> accepted) throws InterruptedException {
        Channel next = accepted.poll(CONNECT_LIMIT_MS, TimeUnit.MILLISECONDS);
        assertThat(next).as("the next connection").isNotNull();
        return next;
    }

    private Path socket() throws Exception {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> file.toString().endsWith(".sock"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private long sockets() throws Exception {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> file.toString().endsWith(".sock")).count();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldListenOnBothAndLeaveNothing(boolean epoll) throws Exception {
        try (EventLoops loops = EventLoops.create("test", 1, epoll, IdleStrategy.Kind.BACKOFF)) {
            SocketServer server = listen(loops);
            server.start(Optional.of(new SocketDirectory(temporary)));
            assertThat(sockets()).isEqualTo(1);
            new RawSocket(server.address()).close();
            server.close();
            assertThat(server.isListening()).isFalse();
            assertThat(sockets()).isZero();
        }
    }

    @Test
    void shouldServeTcpAndCloseIfTheDirectoryIsRefused() throws Exception {
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (EventLoops loops = EventLoops.create("test", 1, true, IdleStrategy.Kind.BACKOFF)) {
            SocketServer server = listen(loops);
            server.start(Optional.of(new SocketDirectory(temporary)));
            new RawSocket(server.address()).close();
            assertThat(sockets()).isZero();
            server.close();
            server.close();
            assertThat(server.isListening()).isFalse();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakGuard.class)
class TcpNameNodeTest {
    private static final int TIMEOUT_MS = 5_000;
    private static final InetAddress IPV6_LOOPBACK = ipv6Loopback();

    private TcpNameNode transport;

    private static InetAddress ipv6Loopback() {
        byte[] bytes = new byte[16];
        bytes[15] = 1;
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private TcpNameNode open(boolean epoll) throws IOException {
        transport = new TcpNameNode(epoll);
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(TcpTierKeys.UNIX_SOCKETS, false);
        transport.init(conf);
        return transport;
    }

    @AfterEach
    void closeTransport() {
        if (transport != null) {
            transport.close();
        }
    }

    private RpcServer listen(RpcServer.Acceptor acceptor) throws IOException {
        return transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), acceptor);
    }

    private RpcChannel connect(RpcServer server, RecordingReceiver receiver) throws Exception {
        return transport.connect(server.address(), TIMEOUT_MS, receiver).get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCarryPipelinedMessagesInOrder(boolean epoll) throws Exception {
        open(epoll);
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel channel = connect(listen(new EchoAcceptor(1)), receiver);
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            channel.send(new TestMessage(i, 8 + i % 1_000));
        }
        for (int i = 0; i < count; i++) {
            byte[] echo = receiver.next();
            assertThat(echo).hasSize(8 + i % 1_000);
            assertThat(ByteBuffer.wrap(echo).getLong()).isEqualTo(i);
        }
        assertThat(receiver.violations).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 4 * 1024 - 4, 4 * 1024, 16 * 1024 - 4, 16 * 1024, 40_000, RpcTransport.MAX_MESSAGE_BYTES})
    void shouldCarryMessagesOfAnyAllowedLength(int length) throws Exception {
        open(true);
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel channel = connect(listen(new EchoAcceptor(1)), receiver);
        for (int i = 0; i < 50; i++) {
            channel.send(new TestMessage(i, 9));
            channel.send(new TestMessage(i, length));
        }
        for (int i = 0; i < 50; i++) {
            assertThat(receiver.next()).hasSize(9);
            byte[] echo = receiver.next();
            assertThat(echo).hasSize(length);
            assertThat(echo[length - 1]).isEqualTo((byte) i);
        }
    }

    @Test
    void shouldKeepTheOrderOfEachSendingThread() throws Exception {
        open(true);
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel channel = connect(listen(new EchoAcceptor(1)), receiver);
        int threads = 4;
        int perThread = 5_000;
        Thread[] senders = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            long base = (long) t * perThread;
            senders[t] = new Thread(() -> {
                for (int i = 0; i < perThread; i++) {
                    channel.send(new TestMessage(base + i, 16));
                }
            });
            senders[t].start();
        }
        long[] last = new long[threads];
        Arrays.fill(last, -1);
        for (int i = 0; i < threads * perThread; i++) {
            long number = ByteBuffer.wrap(receiver.next()).getLong();
            int thread = (int) (number / perThread);
            assertThat(number).isGreaterThan(last[thread]);
            last[thread] = number;
        }
        for (Thread sender : senders) {
            sender.join();
        }
    }

    /** D12: a message that cannot be sent ends its connection and leaves no lock behind: the next one serves. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseToSendWhatNoTransportCarries(boolean epoll) throws Exception {
        open(epoll);
        RpcServer server = listen(new EchoAcceptor(1));
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel channel = connect(server, receiver);
        channel.send(new TestMessage(1, RpcTransport.MAX_MESSAGE_BYTES + 1));
        assertThat(receiver.awaitClosed()).isTrue();
        channel.send(new TestMessage(2, 8)); // is dropped, and does not wait for anything

        RecordingReceiver next = new RecordingReceiver();
        connect(server, next).send(new TestMessage(3, 8));
        assertThat(next.next()).hasSize(8);
        assertThat(receiver.messages).isEmpty();
    }

    /** D13: the end of a connection is noticed and told, once and last. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellBothEndsWhenAConnectionEnds(boolean epoll) throws Exception {
        open(epoll);
        EchoAcceptor acceptor = new EchoAcceptor(1);
        RpcServer server = listen(acceptor);
        RecordingReceiver first = new RecordingReceiver();
        RpcChannel channel = connect(server, first);
        channel.send(new TestMessage(1, 8));
        first.next();
        channel.close();
        assertThat(first.awaitClosed()).as("closed here: no cause").isFalse();
        assertThat(acceptor.endings.poll(20, TimeUnit.SECONDS))
                .as("closed there: a cause")
                .isTrue();

        RecordingReceiver second = new RecordingReceiver();
        connect(server, second);
        acceptor.channels.take();
        acceptor.channels.take().close();
        assertThat(second.awaitClosed()).isTrue();
        channel.send(new TestMessage(2, 8));
        channel.close();
        assertThat(first.closings).hasValue(1);
        assertThat(first.violations).hasValue(0);
    }

    @Test
    void shouldFailTypedWhenNobodyListens() throws Exception {
        open(true);
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        InetSocketAddress address = new InetSocketAddress("localhost", port);
        assertThatThrownBy(() -> transport
                        .connect(address, TIMEOUT_MS, new RecordingReceiver())
                        .get())
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(NamenodeUnreachableException.class)
                .hasMessageContaining("localhost:" + port);
    }

    @Test
    void shouldFailTypedWhenAHostNameIsUnknown() throws Exception {
        open(true);
        InetSocketAddress address = InetSocketAddress.createUnresolved("no-such-host.invalid", 9060);
        assertThatThrownBy(() -> transport
                        .connect(address, TIMEOUT_MS, new RecordingReceiver())
                        .get())
                .cause()
                .isInstanceOf(NamenodeUnreachableException.class)
                .hasMessageContaining("no-such-host.invalid:9060")
                .hasMessageContaining("cannot be resolved");
    }

    /** D14: the time limit of a connect is kept. */
    @Test
    void shouldGiveUpConnectingAfterTheTimeLimit() throws Exception {
        open(true);
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                SocketsToFill filling = new SocketsToFill(full.getLocalSocketAddress())) {
            assumeTrue(filling.isFull(), "the backlog of a socket cannot be filled on this system");
            InetSocketAddress address = (InetSocketAddress) full.getLocalSocketAddress();
            assertThatThrownBy(() -> transport
                            .connect(address, 300, new RecordingReceiver())
                            .get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(NamenodeUnreachableException.class)
                    .hasMessageContaining("did not answer in time");
        }
    }

    @Test
    void shouldSayThatAPortIsInUse() throws Exception {
        open(true);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) taken.getLocalSocketAddress();
            assertThatThrownBy(() -> transport.listen(address, new EchoAcceptor(1)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(":" + taken.getLocalPort())
                    .hasMessageContaining("the port is in use");
        }
    }

    @Test
    void shouldSayThatAnAddressIsNotOfThisHost() throws Exception {
        open(true);
        InetSocketAddress address = new InetSocketAddress("192.0.2.1", 0);
        assertThatThrownBy(() -> transport.listen(address, new EchoAcceptor(1)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("192.0.2.1:0")
                .hasMessageContaining("does not have the address");
    }

    /** D33: addresses of 16 bytes work. */
    @Test
    void shouldWorkOverIpv6() throws Exception {
        open(true);
        RpcServer server;
        try {
            server = transport.listen(new InetSocketAddress(IPV6_LOOPBACK, 0), new EchoAcceptor(1));
        } catch (ConfigurationException e) {
            assumeTrue(false, "no IPv6 on this host: " + e.getMessage());
            return;
        }
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel channel = connect(server, receiver);
        channel.send(new TestMessage(7, 8));
        assertThat(receiver.next()).hasSize(8);
        assertThat(channel.peer()).startsWith("[");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCloseServerConnectionsAndThreads(boolean epoll) throws Exception {
        open(epoll);
        EchoAcceptor acceptor = new EchoAcceptor(1);
        RpcServer server = listen(acceptor);
        RecordingReceiver receiver = new RecordingReceiver();
        connect(server, receiver);
        acceptor.channels.take();
        server.close();
        assertThat(receiver.awaitClosed()).isTrue();
        RecordingReceiver other = new RecordingReceiver();
        RpcServer second = listen(acceptor);
        connect(second, other);
        acceptor.channels.take();
        transport.close();
        assertThat(other.closings).hasValue(1);
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().toLowerCase(Locale.ROOT).startsWith("crail-rpc-")) {
                thread.join(30_000); // it has done its work, but may not be gone
                assertThat(thread.isAlive()).as(thread.toString()).isFalse();
            }
        }
        assertThatThrownBy(() ->
                        transport.connect(second.address(), TIMEOUT_MS, other).get())
                .cause()
                .isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> listen(acceptor)).isInstanceOf(ClosedException.class);
    }

    /** Connections that nobody accepts, until the system takes no more. */
    private static final class SocketsToFill implements AutoCloseable {
        private final List<Socket> sockets = new ArrayList<>();
        private boolean full;

        SocketsToFill(SocketAddress address) throws IOException {
            for (int i = 0; i < 20 && !full; i++) {
                Socket socket = new Socket();
                sockets.add(socket);
                try {
                    socket.connect(address, 200);
                } catch (SocketTimeoutException e) {
                    full = true;
                }
            }
        }

        boolean isFull() {
            return full;
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}

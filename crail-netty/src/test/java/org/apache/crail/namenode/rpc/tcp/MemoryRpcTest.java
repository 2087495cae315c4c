/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.MemoryHandler;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages through memory that both ends map. */
@ExtendWith(LeakGuard.class)
class MemoryRpcTest {
    private static final int TIMEOUT_MS = 20_000;

    /** Into the memory of so many connections each event loop looks. */
    private static final int MOST_IN_A_LOOP = 64;

    @TempDir
    private Path directory;

    private final List<TcpNameNode> transports = new ArrayList<>();
    private final RecordingReceiver receiver = new RecordingReceiver();

    @BeforeEach
    void requireEpoll() {
        assumeTrue(Epoll.isAvailable());
    }

    private TcpNameNode transport(boolean epoll, boolean mapped) throws IOException {
        return transport(epoll, mapped, 0);
    }

    private TcpNameNode transport(boolean epoll, boolean mapped, int serverThreads) throws IOException {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(TcpTierKeys.UNIX_SOCKET_PATH, directory.toString());
        conf.set(TcpTierKeys.NAMENODE_MAPPED, mapped);
        conf.set(TcpTierKeys.NAMENODE_CORES, serverThreads);
        TcpNameNode transport = new TcpNameNode(epoll);
        transport.init(conf);
        transports.add(transport);
        return transport;
    }

    @AfterEach
    void closeTransports() {
        transports.forEach(TcpNameNode::close);
    }

    private static TcpRpcServer listen(TcpNameNode transport, EchoAcceptor acceptor) throws IOException {
        return (TcpRpcServer) transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), acceptor);
    }

    private RpcChannel connect(TcpNameNode transport, TcpRpcServer server) throws Exception {
        return transport.connect(server.address(), TIMEOUT_MS, receiver).get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    private static boolean usesMemory(TcpRpcServer server, EchoAcceptor acceptor) throws InterruptedException {
        assertThat(acceptor.endings.poll(TIMEOUT_MS, TimeUnit.MILLISECONDS))
                .as("the connection over TCP ended")
                .isNotNull();
        return goesThroughMemory(server.connections().iterator().next());
    }

    static boolean goesThroughMemory(Channel connection) {
        return connection.pipeline().get(MemoryHandler.class) != null;
    }

    private RpcChannel connectOverMemory(EchoAcceptor acceptor) throws Exception {
        TcpRpcServer server = listen(transport(true, true), acceptor);
        RpcChannel channel = connect(transport(true, true), server);
        assertThat(usesMemory(server, acceptor)).isTrue();
        return channel;
    }

    private void assertEcho(RpcChannel channel, int number, int length) throws InterruptedException {
        channel.send(new TestMessage(number, length));
        assertEchoed(number, length);
    }

    private void assertEchoed(int number, int length) throws InterruptedException {
        byte[] echo = receiver.next();
        assertThat(echo).hasSize(length);
        assertThat(ByteBuffer.wrap(echo).getLong()).isEqualTo(number);
        if (length > Long.BYTES) {
            assertThat(echo[length - 1]).isEqualTo((byte) number);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, true, true", "false, true, false", "true, false, false", "false, false, false"})
    void shouldGoOverToMemoryIfBothMay(boolean onServer, boolean onClient, boolean expected) throws Exception {
        EchoAcceptor acceptor = new EchoAcceptor(1);
        TcpRpcServer server = listen(transport(true, onServer), acceptor);
        RpcChannel channel = connect(transport(true, onClient), server);
        assertThat(usesMemory(server, acceptor)).isEqualTo(expected);
        assertEcho(channel, 1, 8);
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "false, false"})
    void shouldStayWithTheSocketWhereALoopCannotLookIntoMemory(boolean serverEpoll, boolean clientEpoll)
            throws Exception {
        EchoAcceptor acceptor = new EchoAcceptor(1);
        TcpRpcServer server = listen(transport(serverEpoll, true), acceptor);
        RpcChannel channel = connect(transport(clientEpoll, true), server);
        assertThat(usesMemory(server, acceptor)).isFalse();
        assertEcho(channel, 1, 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 4 * 1024, 16 * 1024, 40_000, RpcTransport.MAX_MESSAGE_BYTES})
    void shouldCarryMessagesOfAnyAllowedLength(int length) throws Exception {
        RpcChannel channel = connectOverMemory(new EchoAcceptor(1));
        for (int i = 0; i < 50; i++) {
            channel.send(new TestMessage(i, 9));
            channel.send(new TestMessage(i, length));
        }
        for (int i = 0; i < 50; i++) {
            assertEchoed(i, 9);
            assertEchoed(i, length);
        }
        assertThat(receiver.violations).hasValue(0);
    }

    /** More than the memory holds, in both directions. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void shouldCarryMoreThanFits(int factor) throws Exception {
        RpcChannel channel = connectOverMemory(new EchoAcceptor(factor));
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            channel.send(new TestMessage(i, 8 + i % 1_000));
        }
        for (int i = 0; i < count; i++) {
            byte[] echo = receiver.next();
            assertThat(echo).hasSize(factor * (8 + i % 1_000));
            assertThat(ByteBuffer.wrap(echo).getLong()).isEqualTo(i);
        }
        assertThat(receiver.violations).hasValue(0);
    }

    /** Pauses around those after which either end goes to sleep. */
    @Test
    void shouldWakeWhoSleeps() throws Exception {
        RpcChannel channel = connectOverMemory(new EchoAcceptor(1));
        Random random = new Random(7);
        for (int i = 0; i < 3_000; i++) {
            assertEcho(channel, i, 8 + i % 50);
            LockSupport.parkNanos(random.nextInt(600_000));
        }
    }

    @Test
    void shouldHearWhatWasSentBeforeTheEnd() throws Exception {
        EchoAcceptor acceptor = new EchoAcceptor(1);
        connectOverMemory(acceptor);
        acceptor.channels.take();
        RpcChannel served = acceptor.channels.take();
        for (int i = 0; i < 100; i++) {
            served.send(new TestMessage(i, 8));
        }
        served.close();
        for (int i = 0; i < 100; i++) {
            assertEchoed(i, 8);
        }
        assertThat(receiver.awaitClosed()).isTrue();
        assertThat(receiver.violations).hasValue(0);
    }

    /** A server that sleeps notices the message and the end at once. */
    @Test
    void shouldHandleWhatAClientSentBeforeItClosed() throws Exception {
        EchoAcceptor acceptor = new EchoAcceptor(1);
        TcpRpcServer server = listen(transport(true, true), acceptor);
        TcpNameNode client = transport(true, true);
        for (int i = 1; i <= 50; i++) {
            RpcChannel channel = connect(client, server);
            assertThat(usesMemory(server, acceptor)).isTrue();
            channel.send(new TestMessage(i, 8));
            channel.close();
            assertThat(acceptor.endings.poll(TIMEOUT_MS, TimeUnit.MILLISECONDS)).isNotNull();
            assertThat(acceptor.handled).hasValue(i);
        }
    }

    @Test
    void shouldTellTheServerWhenAClientCloses() throws Exception {
        EchoAcceptor acceptor = new EchoAcceptor(1);
        RpcChannel channel = connectOverMemory(acceptor);
        channel.close();
        assertThat(acceptor.endings.poll(TIMEOUT_MS, TimeUnit.MILLISECONDS)).isNotNull();
        assertThat(receiver.awaitClosed()).as("ended with a cause").isFalse();
    }

    @Test
    void shouldServeSomeClientsOverSocketsWhenThereAreMany() throws Exception {
        TcpRpcServer server = listen(transport(true, true, 1), new EchoAcceptor(1));
        List<RpcChannel> channels = new ArrayList<>();
        TcpNameNode client = transport(true, true);
        for (int i = 0; i < 150; i++) {
            channels.add(connect(client, server));
        }
        for (RpcChannel channel : channels) {
            assertEcho(channel, 3, 8);
        }
        assertThat(server.connections().stream().filter(MemoryRpcTest::goesThroughMemory))
                .hasSize(MOST_IN_A_LOOP);
    }
}

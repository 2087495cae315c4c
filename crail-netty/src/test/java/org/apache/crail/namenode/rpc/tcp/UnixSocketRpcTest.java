/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.rpc.transport.RpcChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakGuard.class)
class UnixSocketRpcTest {
    private static final int TIMEOUT_MS = 5_000;
    private static final String LOCAL = "a process on this host";

    @TempDir
    private Path directory;

    private final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
    private final List<TcpNameNode> transports = new ArrayList<>();
    private final RecordingReceiver receiver = new RecordingReceiver();
    private final EchoAcceptor acceptor = new EchoAcceptor(1);

    private TcpNameNode transport(boolean epoll, boolean unixSockets) throws IOException {
        conf.set(TcpTierKeys.UNIX_SOCKET_PATH, directory.toString());
        conf.set(TcpTierKeys.UNIX_SOCKETS, unixSockets);
        conf.set(TcpTierKeys.NAMENODE_MAPPED, false);
        TcpNameNode transport = new TcpNameNode(epoll);
        transport.init(conf);
        transports.add(transport);
        return transport;
    }

    @AfterEach
    void closeTransports() {
        transports.forEach(TcpNameNode::close);
    }

    private TcpRpcServer listen(TcpNameNode transport, String host) throws IOException {
        return (TcpRpcServer) transport.listen(new InetSocketAddress(host, 0), acceptor);
    }

    private RpcChannel connect(TcpNameNode transport, InetSocketAddress address) throws Exception {
        return transport.connect(address, TIMEOUT_MS, receiver).get(2 * TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    private void assertEchoes(RpcChannel channel) throws InterruptedException {
        channel.send(new TestMessage(3, 50_000));
        assertThat(receiver.next()).hasSize(50_000);
        assertThat(receiver.violations).hasValue(0);
    }

    private List<Path> sockets() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".sock")).toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldGoOverToTheSocket(boolean serverEpoll, boolean clientEpoll) throws Exception {
        TcpRpcServer server = listen(transport(serverEpoll, true), "127.0.0.1");
        assertThat(sockets()).hasSize(1);
        RpcChannel channel = connect(transport(clientEpoll, true), server.address());
        assertThat(channel.peer()).isEqualTo(LOCAL);
        assertEchoes(channel);
        assertThat(acceptor.endings.poll(20, TimeUnit.SECONDS))
                .as("the first connection ended")
                .isNotNull();
        assertThat(server.connections()).hasSize(1);
        assertThat(acceptor.handled).hasValue(1);
    }

    @Test
    void shouldGoOverFromAServerThatListensEverywhere() throws Exception {
        TcpRpcServer server = listen(transport(true, true), "0.0.0.0");
        InetSocketAddress address =
                new InetSocketAddress("localhost", server.address().getPort());
        assertThat(connect(transport(true, true), address).peer()).isEqualTo(LOCAL);
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void shouldStayWithTcpIfOneSideHasItSwitchedOff(boolean onServer, boolean onClient) throws Exception {
        TcpRpcServer server = listen(transport(true, onServer), "127.0.0.1");
        assertThat(sockets()).hasSize(onServer ? 1 : 0);
        RpcChannel channel = connect(transport(true, onClient), server.address());
        assertThat(channel.peer()).startsWith("127.0.0.1:");
        assertEchoes(channel);
        assertThat(server.connections()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldStayWithTcpIfTheSocketCannotBeReached(boolean epoll) throws Exception {
        TcpRpcServer server = listen(transport(epoll, true), "127.0.0.1");
        Files.delete(sockets().get(0));
        RpcChannel channel = connect(transport(epoll, true), server.address());
        assertThat(channel.peer()).startsWith("127.0.0.1:");
        assertEchoes(channel);
    }

    @Test
    void shouldServeTcpIfNoSocketCanBeMade() throws Exception {
        directory = directory.resolve("missing/too");
        TcpRpcServer server = listen(transport(true, true), "127.0.0.1");
        RpcChannel channel = connect(transport(true, true), server.address());
        assertThat(channel.peer()).startsWith("127.0.0.1:");
        assertEchoes(channel);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRemoveTheSocketAndEndItsConnectionsWhenItStops(boolean epoll) throws Exception {
        TcpRpcServer server = listen(transport(epoll, true), "127.0.0.1");
        connect(transport(epoll, true), server.address());
        server.close();
        assertThat(receiver.awaitClosed()).as("ended with a cause").isTrue();
        assertThat(sockets()).isEmpty();
        assertThat(server.connections()).isEmpty();
    }

    @Test
    void shouldTellTheServerWhenAClientCloses() throws Exception {
        TcpRpcServer server = listen(transport(true, true), "127.0.0.1");
        RpcChannel channel = connect(transport(true, true), server.address());
        assertThat(acceptor.endings.poll(20, TimeUnit.SECONDS)).as("TCP").isNotNull();
        channel.close();
        assertThat(acceptor.endings.poll(20, TimeUnit.SECONDS)).as("socket").isNotNull();
        assertThat(receiver.awaitClosed()).as("ended with a cause").isFalse();
    }

    /** What the server says is not about the address that the client connected to: a proxy, a port that is mapped. */
    @Test
    void shouldStayWithTcpIfTheServerIsNotWhereTheClientConnected() throws Exception {
        TcpRpcServer server = listen(transport(true, true), "127.0.0.1");
        byte[] path = sockets().get(0).toString().getBytes(StandardCharsets.UTF_8);
        byte[] answer = ByteBuffer.allocate(1 + 4 + 2 + 2 + path.length)
                .put((byte) 4)
                .put(InetAddress.getLoopbackAddress().getAddress())
                .putShort((short) server.address().getPort())
                .putShort((short) path.length)
                .put(path)
                .array();
        assertThat(peerAfterAnswer(answer)).isNotEqualTo(LOCAL);
        assertThat(server.connections()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\4", "\7abc", "\4\177\0\0\1\0\1\0\7/a"})
    void shouldStayWithTcpIfTheAnswerIsGarbage(String answer) throws Exception {
        assertThat(peerAfterAnswer(answer.getBytes(StandardCharsets.ISO_8859_1)))
                .isNotEqualTo(LOCAL);
    }

    private String peerAfterAnswer(byte[] answer) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            listening.setSoTimeout(TIMEOUT_MS);
            CompletableFuture<RpcChannel> connecting = transport(true, true)
                    .connect((InetSocketAddress) listening.getLocalSocketAddress(), TIMEOUT_MS, receiver);
            try (Socket accepted = listening.accept()) {
                accepted.setSoTimeout(TIMEOUT_MS);
                assertThat(new DataInputStream(accepted.getInputStream()).readInt())
                        .as("an empty message")
                        .isZero();
                accepted.getOutputStream()
                        .write(ByteBuffer.allocate(4 + answer.length)
                                .putInt(answer.length)
                                .put(answer)
                                .array());
                return connecting.get(TIMEOUT_MS, TimeUnit.MILLISECONDS).peer();
            }
        }
    }

    @Test
    void shouldGiveUpAServerThatDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> transport(true, true)
                            .connect((InetSocketAddress) silent.getLocalSocketAddress(), 300, receiver)
                            .get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(NamenodeUnreachableException.class)
                    .hasMessageContaining("did not answer in time");
        }
    }

    @Test
    void shouldGiveUpAServerThatClosesInsteadOfAnswering() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            listening.setSoTimeout(TIMEOUT_MS);
            CompletableFuture<RpcChannel> connecting = transport(true, true)
                    .connect((InetSocketAddress) listening.getLocalSocketAddress(), TIMEOUT_MS, receiver);
            listening.accept().close();
            assertThatThrownBy(() -> connecting.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(NamenodeUnreachableException.class);
        }
    }
}

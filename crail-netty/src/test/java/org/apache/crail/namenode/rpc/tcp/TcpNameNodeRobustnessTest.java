/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.RawSocket;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D11: whatever one connection does, the others are served. */
@ExtendWith(LeakGuard.class)
class TcpNameNodeRobustnessTest {
    private static final int FACTOR = 64;

    private final EchoAcceptor acceptor = new EchoAcceptor(FACTOR);
    private final RecordingReceiver neighbour = new RecordingReceiver();
    private TcpNameNode transport;
    private TcpRpcServer server;
    private RpcChannel channel;

    @BeforeEach
    void connectANeighbour() throws Exception {
        transport = new TcpNameNode();
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(TcpTierKeys.UNIX_SOCKETS, false);
        transport.init(conf);
        server = (TcpRpcServer) transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), acceptor);
        channel = transport.connect(server.address(), 5_000, neighbour).get(20, TimeUnit.SECONDS);
        assertNeighbourIsServed();
    }

    @AfterEach
    void closeTransport() {
        transport.close();
    }

    private void assertNeighbourIsServed() throws InterruptedException {
        channel.send(new TestMessage(5, 8));
        assertThat(neighbour.next()).hasSize(8 * FACTOR);
        assertThat(neighbour.closings).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {RpcTransport.MAX_MESSAGE_BYTES + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
    void shouldEndAConnectionThatAnnouncesAnImpossibleLength(int length) throws Exception {
        try (RawSocket socket = new RawSocket(server.address())) {
            socket.send(ByteBuffer.allocate(8).putInt(length).putInt(1));
            assertThat(socket.isEndedByPeer()).isTrue();
        }
        assertNeighbourIsServed();
    }

    @Test
    void shouldEndAConnectionThatSendsGarbage() throws Exception {
        byte[] garbage = new byte[100_000];
        new Random(3).nextBytes(garbage);
        garbage[0] = 'G';
        try (RawSocket socket = new RawSocket(server.address())) {
            socket.send(garbage);
            assertThat(socket.isEndedByPeer()).isTrue();
        } catch (IOException e) {
            assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe).*");
        }
        assertNeighbourIsServed();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSurviveHalfMessages(boolean reset) throws Exception {
        RawSocket socket = new RawSocket(server.address());
        socket.send(ByteBuffer.allocate(100).putInt(1_000).putLong(1));
        assertNeighbourIsServed();
        acceptor.channels.take();
        if (reset) {
            socket.reset();
        } else {
            socket.close();
        }
        assertThat(acceptor.endings.poll(20, TimeUnit.SECONDS)).isTrue();
        assertNeighbourIsServed();
    }

    @Test
    void shouldAssembleMessagesFromSingleBytes() throws Exception {
        try (RawSocket socket = new RawSocket(server.address())) {
            for (int i = 0; i < 3; i++) {
                for (byte b : new byte[] {0, 0, 0, 2, 'o', 'k'}) {
                    socket.send(b);
                }
                assertThat(socket.receive(4).getInt()).isEqualTo(2 * FACTOR);
                socket.receive(2 * FACTOR);
            }
        }
    }

    /** A client that does not read its answers is not read from, so that they do not fill the namenode's memory. */
    @Test
    void shouldStopReadingFromAClientThatDoesNotReadItsAnswers() throws Exception {
        int messages = 2_000;
        int length = 1_000;
        ByteBuffer all = ByteBuffer.allocate(messages * (4 + length));
        for (int i = 0; i < messages; i++) {
            all.putInt(length).putInt(i).position(all.position() + length - 4);
        }
        long before = acceptor.handled.get();
        try (RawSocket socket = new RawSocket(server.address())) {
            socket.send(all);
            long handled = settled(acceptor.handled::get) - before;
            assertThat(handled).as("answers of 64 kB that are kept for it").isLessThan(messages / 2);
            assertNeighbourIsServed();
            for (int i = 0; i < messages; i++) {
                assertThat(socket.receive(4).getInt()).isEqualTo(length * FACTOR);
                assertThat(socket.receive(length * FACTOR).getInt()).isEqualTo(i);
            }
        }
    }

    private static long settled(LongSupplier counter) {
        long last = -1;
        long now = counter.getAsLong();
        for (int i = 0; i < 100 && now != last; i++) {
            LockSupport.parkNanos(300_000_000L);
            last = now;
            now = counter.getAsLong();
        }
        return now;
    }

    @Test
    void shouldSurviveManyConnections() throws Exception {
        for (int i = 0; i < 500; i++) {
            RawSocket socket = new RawSocket(server.address());
            socket.send((byte) 0);
            if (i % 2 == 0) {
                socket.reset();
            } else {
                socket.close();
            }
        }
        for (int i = 0; i < 500; i++) {
            assertThat(acceptor.endings.poll(20, TimeUnit.SECONDS)).isNotNull();
        }
        assertNeighbourIsServed();
    }

    @Test
    void shouldEndAConnectionWhoseReceiverFails() throws Exception {
        RpcServer failing = transport.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ignored -> new FailingReceiver());
        try (RawSocket socket = new RawSocket(failing.address())) {
            socket.send(ByteBuffer.allocate(5).putInt(1).put((byte) 1));
            assertThat(socket.isEndedByPeer()).isTrue();
        }
        assertNeighbourIsServed();
    }

    private static final class FailingReceiver implements RpcChannel.Receiver {
        @Override
        public void onMessage(ByteBuffer message) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void onClosed(Throwable cause) {}
    }
}

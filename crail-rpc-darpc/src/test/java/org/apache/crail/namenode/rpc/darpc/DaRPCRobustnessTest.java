/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D11: whatever one connection does, the others are served. On the verbs device that {@code LAB_ADDRESS} tells. */
@Tag("rdma")
class DaRPCRobustnessTest {
    private static final String HOST = System.getenv("LAB_ADDRESS");
    private static final int DEPTH = 4;
    private static final int PAYLOAD_BYTES = 1_024;
    private static final int FACTOR = 64;

    private final EchoAcceptor acceptor = new EchoAcceptor(FACTOR);
    private final RecordingReceiver neighbour = new RecordingReceiver();
    private DaRPCNameNode transport;
    private RpcServer server;
    private RpcChannel channel;
    private RawClient raw;

    @BeforeEach
    void connectANeighbour() throws Exception {
        assumeTrue(HOST != null, "no verbs device: LAB_ADDRESS is not set");
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        configuration.set(DaRPCKeys.RECV_QUEUE.name(), String.valueOf(DEPTH));
        configuration.set(DaRPCKeys.MESSAGE_SIZE.name(), String.valueOf(PAYLOAD_BYTES));
        transport = new DaRPCNameNode();
        transport.init(configuration);
        server = transport.listen(new InetSocketAddress(HOST, 0), acceptor);
        channel = transport.connect(server.address(), 15_000, neighbour).get(20, TimeUnit.SECONDS);
        assertNeighbourIsServed();
    }

    @AfterEach
    void closeAll() throws Exception {
        if (raw != null) {
            raw.close();
        }
        if (transport != null) {
            transport.close();
            DarpcThreads.assertGone();
        }
    }

    private void assertNeighbourIsServed() throws InterruptedException {
        channel.send(new TestMessage(5, 8));
        assertThat(neighbour.next()).hasSize(8 * FACTOR);
        assertThat(neighbour.closings).hasValue(0);
    }

    private RawClient connectRaw(int payloadBytes) throws Exception {
        raw = new RawClient(ChannelPairTest.settings(64, payloadBytes), server.address());
        return raw;
    }

    private RawClient greetRaw() throws Exception {
        RawClient client = connectRaw(PAYLOAD_BYTES);
        ByteBuffer greeting = ByteBuffer.allocate(16);
        new Greeting(PAYLOAD_BYTES, DEPTH).writeTo(greeting);
        client.send(greeting);
        assertThat(client.answers.poll(20, TimeUnit.SECONDS)).hasSize(16);
        return client;
    }

    private void assertRawIsEnded() throws Exception {
        assertThat(raw.isEndedByPeer()).isTrue();
        assertNeighbourIsServed();
    }

    @Test
    void shouldEndAConnectionThatDoesNotGreet() throws Exception {
        byte[] garbage = new byte[100];
        new Random(3).nextBytes(garbage);
        connectRaw(PAYLOAD_BYTES).send(garbage);
        assertRawIsEnded();
    }

    @Test
    void shouldEndAConnectionThatSaysNothing() throws Exception {
        connectRaw(PAYLOAD_BYTES);
        assertRawIsEnded();
    }

    @ParameterizedTest
    @ValueSource(ints = {RpcTransport.MAX_MESSAGE_BYTES + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
    void shouldEndAConnectionThatAnnouncesAnImpossibleLength(int length) throws Exception {
        greetRaw().send(ByteBuffer.allocate(12).putInt(0).putInt(length).putInt(1));
        assertRawIsEnded();
    }

    @Test
    void shouldEndAConnectionThatSendsLongerPayloadsThanAgreed() throws Exception {
        connectRaw(8 * PAYLOAD_BYTES).send(new byte[8 * PAYLOAD_BYTES]);
        assertRawIsEnded();
    }

    @Test
    void shouldEndAConnectionWithImpossibleTickets() throws Exception {
        greetRaw().sendWithTicket(-5);
        assertRawIsEnded();
    }

    @Test
    void shouldEndAConnectionThatSendsAnEmptyPayload() throws Exception {
        greetRaw().send();
        assertRawIsEnded();
    }

    @Test
    void shouldSurviveHalfMessages() throws Exception {
        greetRaw().send(ByteBuffer.allocate(500).putInt(0).putInt(1_000).putLong(1));
        assertNeighbourIsServed();
        raw.close();
        raw = null;
        assertThat(acceptor.endings.poll(20, TimeUnit.SECONDS)).isTrue();
        assertNeighbourIsServed();
    }

    /** A client that fetches no answers, but sends on, costs a bounded amount of memory. */
    @Test
    void shouldEndAConnectionThatSendsOnWithoutFetchingItsAnswers() throws Exception {
        RawClient client = greetRaw();
        long before = acceptor.handled.get();
        int sent = 0;
        try {
            for (; sent < 2_000; sent++) {
                client.send(ByteBuffer.allocate(PAYLOAD_BYTES).putInt(0).putInt(PAYLOAD_BYTES - 8));
                assertThat(client.answers.poll(5, TimeUnit.SECONDS)).isNotNull();
            }
        } catch (IOException | AssertionError e) {
            assertThat(e).isNotNull();
        }
        assertThat(sent).as("payloads that were taken").isLessThan(500);
        assertThat(acceptor.handled.get() - before)
                .as("messages that were handled")
                .isLessThan(100);
        assertRawIsEnded();
    }

    @Test
    void shouldSurviveClientsThatLeaveAtOnce() throws Exception {
        for (int i = 0; i < 30; i++) {
            RawClient client = connectRaw(PAYLOAD_BYTES);
            if (i % 2 == 0) {
                client.send(ByteBuffer.allocate(16));
            }
            client.close();
            raw = null;
        }
        assertNeighbourIsServed();
    }

    @Test
    void shouldEndAConnectionWhoseReceiverFails() throws Exception {
        RpcServer failing = transport.listen(new InetSocketAddress(HOST, 0), new EchoAcceptor(1) {
            @Override
            void afterMessage(RpcChannel served) {
                throw new IllegalStateException("on purpose");
            }
        });
        RecordingReceiver receiver = new RecordingReceiver();
        transport
                .connect(failing.address(), 15_000, receiver)
                .get(20, TimeUnit.SECONDS)
                .send(new TestMessage(1, 8));
        assertThat(receiver.awaitClosed()).isTrue();
        assertNeighbourIsServed();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of a connection without a device in between. */
class ChannelPairTest {
    private final RecordingReceiver receiver = new RecordingReceiver();
    private final CompletableFuture<ClientChannel> greeted = new CompletableFuture<>();
    private final DaRPCCounters counters = new DaRPCCounters();
    private MemoryNetwork network;
    private ClientChannel client;

    @AfterEach
    void closeNetwork() throws Exception {
        if (network != null) {
            network.close();
            assertThat(network.overruns)
                    .as("payloads that nothing was posted for")
                    .hasValue(0);
        }
        assertThat(receiver.violations).hasValue(0);
    }

    static DaRPCSettings settings(int depth, int payloadBytes) throws IOException {
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        configuration.set(DaRPCKeys.RECV_QUEUE.name(), String.valueOf(depth));
        configuration.set(DaRPCKeys.MESSAGE_SIZE.name(), String.valueOf(payloadBytes));
        return DaRPCSettings.of(configuration);
    }

    private ClientChannel connect(DaRPCSettings ofClient, DaRPCSettings ofServer, RpcServer.Acceptor acceptor)
            throws Exception {
        network = new MemoryNetwork(ofClient, ofServer, 5);
        ServerChannel server = new ServerChannel(network.server, network.server, ofServer.greeting(), acceptor);
        client = new ClientChannel(
                network.client, network.client, ofClient.greeting(), receiver, new Opening(greeted), counters);
        network.server.events(server);
        network.client.events(client);
        client.greet();
        network.start();
        return greeted.get(20, TimeUnit.SECONDS);
    }

    private ClientChannel connect(int depth, int payloadBytes, RpcServer.Acceptor acceptor) throws Exception {
        DaRPCSettings settings = settings(depth, payloadBytes);
        return connect(settings, settings, acceptor);
    }

    @ParameterizedTest
    @CsvSource({"1, 256", "2, 256", "3, 1000", "32, 4096", "33, 300", "200, 4096", "1, 131072", "16, 131072"})
    void shouldCarryMessagesOfAnyLengthInOrder(int depth, int payloadBytes) throws Exception {
        connect(depth, payloadBytes, new EchoAcceptor(1));
        int[] lengths = {8, 100, payloadBytes - 8, payloadBytes - 7, 5_000, RpcTransport.MAX_MESSAGE_BYTES, 9, 8, 300};
        for (int i = 0; i < 300; i++) {
            client.send(new TestMessage(i, Math.min(lengths[i % lengths.length], RpcTransport.MAX_MESSAGE_BYTES)));
        }
        for (int i = 0; i < 300; i++) {
            byte[] echo = receiver.next();
            assertThat(echo).hasSize(Math.min(lengths[i % lengths.length], RpcTransport.MAX_MESSAGE_BYTES));
            assertThat(ByteBuffer.wrap(echo).getLong()).isEqualTo(i);
            assertThat(echo[echo.length - 1]).isEqualTo((byte) i);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 32, 256, 4096", "32, 1, 4096, 256", "7, 5, 512, 512"})
    void shouldKeepToTheLowerValuesOfBothEnds(int clientDepth, int serverDepth, int clientBytes, int serverBytes)
            throws Exception {
        connect(settings(clientDepth, clientBytes), settings(serverDepth, serverBytes), new EchoAcceptor(2));
        for (int i = 0; i < 500; i++) {
            client.send(new TestMessage(i, 8 + i * 7 % 1000));
        }
        for (int i = 0; i < 500; i++) {
            assertThat(receiver.next()).hasSize(2 * (8 + i * 7 % 1000));
        }
        assertThat(network.client.mostCalls()).isLessThanOrEqualTo(Math.min(clientDepth, serverDepth));
    }

    /** While the first request is being processed the others are sent, as many as the namenode has room for. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 2, 2", "32, 32, 32", "32, 5, 5", "5, 32, 5"})
    void shouldHaveAsManyCallsInFlightAsBothEndsAllow(int clientDepth, int serverDepth, int agreed) throws Exception {
        CountDownLatch allSent = new CountDownLatch(1);
        connect(settings(clientDepth, 256), settings(serverDepth, 256), new EchoAcceptor(1) {
            @Override
            void afterMessage(RpcChannel served) {
                await(allSent);
            }
        });
        assertThat(network.client.mostCalls()).as("the greeting").isEqualTo(1);
        for (int i = 0; i < 500; i++) {
            client.send(new TestMessage(i, 16));
        }
        awaitCalls(agreed);
        allSent.countDown();
        for (int i = 0; i < 500; i++) {
            assertThat(ByteBuffer.wrap(receiver.next()).getLong()).isEqualTo(i);
        }
        assertThat(network.client.mostCalls()).isEqualTo(agreed);
    }

    /** Another thread than that of the test may be at sending what the test has given. */
    private void awaitCalls(int count) {
        long beginNs = System.nanoTime();
        while (network.client.mostCalls() < count && System.nanoTime() - beginNs < TimeUnit.SECONDS.toNanos(20)) {
            Thread.onSpinWait();
        }
        assertThat(network.client.mostCalls()).isEqualTo(count);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** No message is handed to another thread, neither there nor here. */
    @Test
    void shouldProcessRequestsOnTheThreadOfTheirConnection() throws Exception {
        EchoAcceptor acceptor = new EchoAcceptor(1);
        connect(8, 256, acceptor);
        for (int i = 0; i < 100; i++) {
            client.send(new TestMessage(i, 700));
            assertThat(receiver.next()).hasSize(700);
        }
        assertThat(acceptor.threads).containsExactly(MemoryNetwork.THREAD);
        assertThat(receiver.threads).containsExactly(MemoryNetwork.THREAD);
    }

    @Test
    void shouldNeedOneCallForAMessageOfUsualLength() throws Exception {
        connect(8, 4096, new EchoAcceptor(4));
        int before = network.client.sends.get();
        for (int i = 0; i < 100; i++) {
            client.send(new TestMessage(i, 100));
            assertThat(receiver.next()).hasSize(400);
        }
        assertThat(network.client.sends.get() - before).isEqualTo(100);
        assertThat(network.server.sends.get()).isEqualTo(network.client.sends.get());
    }

    @Test
    void shouldFetchALongAnswerWithFurtherCalls() throws Exception {
        connect(8, 4096, new EchoAcceptor(100));
        int before = network.client.sends.get();
        client.send(new TestMessage(1, 600));
        assertThat(receiver.next()).hasSize(60_000);
        int payloads = 60_004 / 4092 + 1;
        assertThat(network.client.sends.get() - before).isBetween(payloads, payloads + 8);
    }

    @Test
    void shouldSendWhatWaitsTogether() throws Exception {
        connect(1, 4096, new EchoAcceptor(1));
        int before = network.client.sends.get();
        for (int i = 0; i < 10_000; i++) {
            client.send(new TestMessage(i, 16));
        }
        for (int i = 0; i < 10_000; i++) {
            assertThat(ByteBuffer.wrap(receiver.next()).getLong()).isEqualTo(i);
        }
        assertThat(network.client.sends.get() - before).isLessThan(5_000);
    }

    @Test
    void shouldKeepTheOrderOfEachSendingThread() throws Exception {
        connect(4, 512, new EchoAcceptor(1));
        int threads = 4;
        int perThread = 5_000;
        List<Thread> senders = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            long base = (long) t * perThread;
            senders.add(new Thread(() -> {
                for (int i = 0; i < perThread; i++) {
                    client.send(new TestMessage(base + i, 16));
                }
            }));
        }
        senders.forEach(Thread::start);
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

    /** A namenode may ignore a request, for example a late copy: that must cost no room for calls. */
    @Test
    void shouldGoOnWhenRequestsGetNoAnswer() throws Exception {
        connect(2, 256, new EchoAcceptor(1) {
            @Override
            boolean isAnswered(long handled) {
                return handled % 100 == 0;
            }
        });
        for (int i = 1; i <= 1000; i++) {
            client.send(new TestMessage(i, 8));
        }
        for (int i = 100; i <= 1000; i += 100) {
            assertThat(ByteBuffer.wrap(receiver.next()).getLong()).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void shouldDeliverWhatTheServerSendsUnasked(int depth) throws Exception {
        EchoAcceptor acceptor = new EchoAcceptor(1);
        connect(depth, 256, acceptor);
        RpcChannel server = acceptor.channels.poll(20, TimeUnit.SECONDS);
        for (int i = 0; i < 100; i++) {
            server.send(new TestMessage(i, 700));
            if (i % 3 == 0) {
                assertThat(receiver.next()).hasSize(700);
            }
        }
        for (int i = 0; i < 66; i++) {
            assertThat(receiver.next()).hasSize(700);
        }
        client.send(new TestMessage(1000, 8));
        assertThat(ByteBuffer.wrap(receiver.next()).getLong()).isEqualTo(1000);
    }

    @Test
    void shouldSendTheReasonBeforeTheServerCloses() throws Exception {
        connect(
                4,
                256,
                channel -> new EchoAcceptor(1) {
                    @Override
                    void afterMessage(RpcChannel served) {
                        served.close();
                    }
                }.accept(channel));
        client.send(new TestMessage(1, 3_000));
        client.send(new TestMessage(2, 8));
        assertThat(receiver.awaitClosed()).isTrue();
        assertThat(receiver.messages.size()).isLessThanOrEqualTo(1);
    }

    @Test
    void shouldTellBothEndsWhenTheClientCloses() throws Exception {
        EchoAcceptor acceptor = new EchoAcceptor(1);
        connect(4, 256, acceptor);
        client.send(new TestMessage(1, 8));
        receiver.next();
        client.close();
        client.close();
        assertThat(receiver.awaitClosed()).as("closed here: no cause").isFalse();
        assertThat(acceptor.endings.poll(20, TimeUnit.SECONDS))
                .as("closed there: a cause")
                .isTrue();
        client.send(new TestMessage(2, 8));
        assertThat(receiver.closings).hasValue(1);
    }

    @Test
    void shouldRefuseToSendWhatNoTransportCarries() throws Exception {
        connect(4, 256, new EchoAcceptor(1));
        client.send(new TestMessage(1, RpcTransport.MAX_MESSAGE_BYTES + 1));
        assertThat(receiver.awaitClosed()).isTrue();
    }

    @Test
    void shouldEndAConnectionWhoseReceiverFails() throws Exception {
        EchoAcceptor acceptor = new EchoAcceptor(1) {
            @Override
            void afterMessage(RpcChannel served) {
                throw new IllegalStateException("on purpose");
            }
        };
        connect(4, 256, acceptor);
        client.send(new TestMessage(1, 8));
        assertThat(receiver.awaitClosed()).isTrue();
        assertThat(acceptor.endings.poll(20, TimeUnit.SECONDS)).isTrue();
    }

    private record Opening(CompletableFuture<ClientChannel> greeted) implements ClientChannel.Opening {
        @Override
        public void onGreeted(ClientChannel channel) {
            greeted.complete(channel);
        }

        @Override
        public void onNotGreeted(Throwable cause) {
            greeted.completeExceptionally(cause);
        }
    }
}

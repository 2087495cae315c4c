/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.verbs.NativeVerbs;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On a verbs device whose address {@code LAB_ADDRESS} tells. */
@Tag("rdma")
class DaRPCNameNodeTest {
    private static final int TIMEOUT_MS = 15_000;
    private static final String HOST = System.getenv("LAB_ADDRESS");

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
    private DaRPCNameNode transport;

    @BeforeEach
    void requireDevice() {
        assumeTrue(HOST != null, "no verbs device: LAB_ADDRESS is not set");
        assertThat(NativeVerbs.unavailabilityCause()).isNull();
    }

    private void set(ConfigKey<?> key, Object value) {
        configuration.set(key.name(), value.toString());
    }

    private DaRPCNameNode open() throws IOException {
        transport = new DaRPCNameNode();
        transport.init(configuration);
        return transport;
    }

    @AfterEach
    void closeTransport() throws Exception {
        if (transport != null) {
            long beginNs = System.nanoTime();
            transport.close();
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs))
                    .isLessThan(10);
            DarpcThreads.assertGone();
        }
    }

    private RpcServer listen(RpcServer.Acceptor acceptor) throws IOException {
        return transport.listen(new InetSocketAddress(HOST, 0), acceptor);
    }

    private RpcChannel connect(RpcServer server, RecordingReceiver receiver) throws Exception {
        return transport.connect(server.address(), TIMEOUT_MS, receiver).get(TIMEOUT_MS + 5_000, TimeUnit.MILLISECONDS);
    }

    @ParameterizedTest
    @CsvSource({"32, false", "1, false", "3, false", "32, true"})
    void shouldCarryPipelinedMessagesInOrder(int depth, boolean polling) throws Exception {
        set(DaRPCKeys.RECV_QUEUE, depth);
        open();
        DaRPCSettings configured = DaRPCSettings.of(configuration);
        transport.init(
                new DaRPCSettings( // a machine with few processors would not poll hard
                        configured.greeting(),
                        polling,
                        configured.sendQueue(),
                        configured.maxInline(),
                        configured.pollSize(),
                        configured.clusterMasks(),
                        configured.clusterSize(),
                        configured.backlog(),
                        configured.resolveTimeoutMs()));
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel channel = connect(listen(new EchoAcceptor(1)), receiver);
        int count = 5_000;
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
    @ValueSource(ints = {8, 4 * 1024 - 8, 4 * 1024 - 7, 32 * 1024, RpcTransport.MAX_MESSAGE_BYTES})
    void shouldCarryMessagesOfAnyAllowedLength(int length) throws Exception {
        open();
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel channel = connect(listen(new EchoAcceptor(1)), receiver);
        for (int i = 0; i < 10; i++) {
            channel.send(new TestMessage(i, 9));
            channel.send(new TestMessage(i, length));
        }
        for (int i = 0; i < 10; i++) {
            assertThat(receiver.next()).hasSize(9);
            byte[] echo = receiver.next();
            assertThat(echo).hasSize(length);
            assertThat(echo[length - 1]).isEqualTo((byte) i);
        }
    }

    @Test
    void shouldWorkWithTheShortestQueues() throws Exception {
        set(DaRPCKeys.TYPE, "active");
        set(DaRPCKeys.SEND_QUEUE, 1);
        set(DaRPCKeys.POLL_SIZE, 1);
        set(DaRPCKeys.BACKLOG, 1);
        set(DaRPCKeys.CONNECT_TIMEOUT, "5s");
        open();
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel channel = connect(listen(new EchoAcceptor(1)), receiver);
        for (int i = 0; i < 500; i++) {
            channel.send(new TestMessage(i, 100));
        }
        for (int i = 0; i < 500; i++) {
            assertThat(ByteBuffer.wrap(receiver.next()).getLong()).isEqualTo(i);
        }
    }

    @Test
    void shouldBindAClusterToItsProcessor() throws Exception {
        set(DaRPCKeys.AFFINITY, 1);
        open();
        RecordingReceiver receiver = new RecordingReceiver();
        connect(listen(new EchoAcceptor(1)), receiver).send(new TestMessage(1, 8));
        receiver.next(); // the thread runs
        assertThat(processorsOfServerThreads()).contains("1");
    }

    /** As the kernel tells, by names of threads, of which it keeps 15 characters. */
    private static List<String> processorsOfServerThreads() throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                String status = Files.readString(thread.resolve("status"));
                if (status.startsWith("Name:\tcrail-darpc-ser")) {
                    found.add(status.replaceAll("(?s).*Cpus_allowed_list:\\s*(\\S+).*", "$1"));
                }
            }
        }
        return found;
    }

    /** Each on the thread of the cluster that its connection belongs to. */
    @Test
    void shouldProcessRequestsInPlace() throws Exception {
        set(DaRPCKeys.AFFINITY, "0,1");
        open();
        EchoAcceptor acceptor = new EchoAcceptor(1);
        RpcServer server = listen(acceptor);
        for (int i = 0; i < 2; i++) {
            RecordingReceiver receiver = new RecordingReceiver();
            RpcChannel channel = connect(server, receiver);
            for (int k = 0; k < 100; k++) {
                channel.send(new TestMessage(k, 100));
            }
            for (int k = 0; k < 100; k++) {
                assertThat(receiver.next()).hasSize(100);
            }
        }
        assertThat(acceptor.threads).hasSize(2).allMatch(name -> name.matches("crail-darpc-server-[0-9]+-[0-9]+"));
    }

    @Test
    void shouldInlineShortMessages() throws Exception {
        set(DaRPCKeys.MAX_INLINE, 200);
        open();
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel channel = connect(listen(new EchoAcceptor(1)), receiver);
        channel.send(new TestMessage(1, 100));
        channel.send(new TestMessage(2, 1_000));
        assertThat(receiver.next()).hasSize(100);
        assertThat(receiver.next()).hasSize(1_000);
    }

    @Test
    void shouldKeepTheOrderOfEachSendingThread() throws Exception {
        open();
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel channel = connect(listen(new EchoAcceptor(1)), receiver);
        int threads = 8;
        int perThread = 1_000;
        List<Thread> senders = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            long base = (long) t * perThread;
            senders.add(new Thread(() -> {
                for (int i = 0; i < perThread; i++) {
                    channel.send(new TestMessage(base + i, 16));
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

    @Test
    void shouldDeliverWhatTheServerSendsUnasked() throws Exception {
        open();
        EchoAcceptor acceptor = new EchoAcceptor(1);
        RecordingReceiver receiver = new RecordingReceiver();
        connect(listen(acceptor), receiver);
        RpcChannel served = acceptor.channels.poll(20, TimeUnit.SECONDS);
        for (int i = 0; i < 20; i++) {
            served.send(new TestMessage(i, 5_000));
            assertThat(receiver.next()).hasSize(5_000);
        }
    }

    /** D13: the end of a connection is noticed and told, once and last. */
    @Test
    void shouldTellBothEndsWhenAConnectionEnds() throws Exception {
        open();
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
        open();
        assertUnreachable(new InetSocketAddress(HOST, 4), TIMEOUT_MS)
                .hasMessageContaining(HOST + ":4")
                .hasMessageContaining("nothing listens there");
    }

    @Test
    void shouldFailTypedWhenAnAddressHasNoDevice() throws Exception {
        open();
        assertUnreachable(new InetSocketAddress(LOOPBACK, 9060), TIMEOUT_MS)
                .hasMessageContaining(":9060")
                .hasMessageContaining("loopback address belongs to no RDMA device");
        assertUnreachable(InetSocketAddress.createUnresolved("no-such-host.invalid", 9060), TIMEOUT_MS)
                .hasMessageContaining("cannot be resolved");
    }

    /** D14: the time limit of a connect is kept: by itself the connection manager would try for about a minute. */
    @Test
    void shouldGiveUpConnectingAfterTheTimeLimit() throws Exception {
        open();
        String silent = HOST.substring(0, HOST.lastIndexOf('.')) + ".99";
        assertGivesUp(new InetSocketAddress(silent, 9060));
        RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
        RdmaCmId acceptsNobody = channel.createId(RdmaCm.RDMA_PS_TCP);
        try {
            acceptsNobody.bindAddr(new InetSocketAddress(HOST, 0));
            acceptsNobody.listen(16);
            assertGivesUp((InetSocketAddress) acceptsNobody.getSource());
        } finally {
            acceptsNobody.destroyId();
            channel.destroyEventChannel();
        }
    }

    private void assertGivesUp(InetSocketAddress address) {
        long startNs = System.nanoTime();
        assertUnreachable(address, 500);
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs)).isLessThan(30);
    }

    private AbstractThrowableAssert<?, ?> assertUnreachable(InetSocketAddress address, int timeoutMs) {
        return assertThatThrownBy(() -> transport
                        .connect(address, timeoutMs, new RecordingReceiver())
                        .get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(NamenodeUnreachableException.class);
    }

    @Test
    void shouldSayWhyAnAddressCannotBeBound() throws Exception {
        open();
        RpcServer server = listen(new EchoAcceptor(1));
        assertThat(server.address().getPort()).isPositive();
        assertThatThrownBy(() -> transport.listen(server.address(), new EchoAcceptor(1)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(":" + server.address().getPort())
                .hasMessageContaining("the port is in use");
        assertThatThrownBy(() -> transport.listen(new InetSocketAddress("192.0.2.1", 0), new EchoAcceptor(1)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("no RDMA device of this host has the address");
        assertThatThrownBy(() -> transport.listen(new InetSocketAddress(LOOPBACK, 0), new EchoAcceptor(1)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("loopback");
    }

    @Test
    void shouldRefuseConnectionsBeyondTheClusters() throws Exception {
        set(DaRPCKeys.CLUSTER_SIZE, 2);
        set(DaRPCKeys.AFFINITY, "0,1");
        open();
        EchoAcceptor acceptor = new EchoAcceptor(1);
        RpcServer server = listen(acceptor);
        List<RpcChannel> channels = new ArrayList<>();
        List<RecordingReceiver> receivers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            receivers.add(new RecordingReceiver());
            channels.add(connect(server, receivers.get(i)));
        }
        assertUnreachable(server.address(), TIMEOUT_MS).hasMessageContaining("refused");
        for (int i = 0; i < 4; i++) {
            channels.get(i).send(new TestMessage(i, 3_000));
            assertThat(receivers.get(i).next()).hasSize(3_000);
        }
        channels.get(0).close();
        acceptor.endings.take();
        RpcChannel next = connectWhenThereIsRoom(server);
        next.close();
    }

    /** The place of a connection is free when its resources are. */
    private RpcChannel connectWhenThereIsRoom(RpcServer server) throws Exception {
        for (int i = 0; ; i++) {
            try {
                return connect(server, new RecordingReceiver());
            } catch (ExecutionException e) {
                assertThat(i).as("attempts, %s", e.getMessage()).isLessThan(50);
            }
        }
    }

    @Test
    void shouldEndCallsInFlightWhenTheServerCloses() throws Exception {
        open();
        EchoAcceptor acceptor = new EchoAcceptor(1);
        RpcServer server = listen(acceptor);
        List<RecordingReceiver> receivers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            receivers.add(new RecordingReceiver());
            RpcChannel channel = connect(server, receivers.get(i));
            for (int k = 0; k < 200; k++) {
                channel.send(new TestMessage(k, 2_000));
            }
        }
        server.close();
        server.close();
        for (RecordingReceiver receiver : receivers) {
            assertThat(receiver.awaitClosed()).isTrue();
            assertThat(receiver.violations).hasValue(0);
        }
        RecordingReceiver after = new RecordingReceiver();
        assertUnreachable(server.address(), TIMEOUT_MS).hasMessageContaining(HOST);
        RpcChannel again = connect(listen(acceptor), after);
        again.send(new TestMessage(1, 8));
        assertThat(after.next()).hasSize(8);
    }

    @Test
    void shouldServeSeveralServersAndTransports() throws Exception {
        open();
        RpcServer first = listen(new EchoAcceptor(1));
        RpcServer second = listen(new EchoAcceptor(2));
        DaRPCNameNode other = new DaRPCNameNode();
        other.init(configuration);
        try {
            RecordingReceiver receiver = new RecordingReceiver();
            RpcChannel channel =
                    other.connect(second.address(), TIMEOUT_MS, receiver).get(20, TimeUnit.SECONDS);
            channel.send(new TestMessage(1, 8));
            assertThat(receiver.next()).hasSize(16);
            RecordingReceiver own = new RecordingReceiver();
            connect(first, own).send(new TestMessage(1, 8));
            assertThat(own.next()).hasSize(8);
            first.close();
            channel.send(new TestMessage(2, 9));
            assertThat(receiver.next()).hasSize(18);
        } finally {
            other.close();
        }
    }

    @Test
    void shouldRefuseToWorkWhenClosed() throws Exception {
        open();
        RpcServer server = listen(new EchoAcceptor(1));
        RecordingReceiver receiver = new RecordingReceiver();
        connect(server, receiver);
        transport.close();
        assertThat(receiver.closings).hasValue(1);
        assertThatThrownBy(() -> transport
                        .connect(server.address(), TIMEOUT_MS, receiver)
                        .get())
                .cause()
                .isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> listen(new EchoAcceptor(1))).isInstanceOf(ClosedException.class);
    }
}

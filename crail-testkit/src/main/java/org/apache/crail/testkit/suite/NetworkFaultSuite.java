/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.Upcoming;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.storage.datanode.Datanode;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.FaultyProxy;
import org.apache.crail.testkit.FaultyProxy.Fault;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults of a TCP network, made by a proxy between a store and its servers; and bytes that no client would send. */
@Tag("faults")
@Timeout(60)
public abstract class NetworkFaultSuite extends ClusterSuite {
    private static final String NEAR = "127.0.0.1";
    private static final String BEHIND_PROXY = "127.0.0.2";

    private final List<AutoCloseable> opened = new ArrayList<>();

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .with("crail.storage.classes", "2")
                .with("crail.tokenexpiration", "1s")
                .with("crail.rpctimeout", "2s")
                .with("crail.datatimeout", "2s");
    }

    @AfterEach
    void closeWhatWasOpened() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    @Test
    void shouldCreateEachNodeOnceWhileConnectionsAreCut() throws Exception {
        FaultyProxy proxy = keep(FaultyProxy.start(namenode()));
        TestClient distant = through(proxy);
        for (int round = 0; round < 10; round++) {
            Upcoming<CrailNode> first = distant.creating("/a" + round, DATAFILE);
            Upcoming<CrailNode> second = distant.creating("/b" + round, DATAFILE);
            proxy.cut();
            TestClient.await(first).syncDir();
            TestClient.await(second).syncDir();
        }
        assertThat(client.list("/")).hasSize(20);
        assertThat(cluster.checkBlocks().nodes()).isEqualTo(21);
    }

    @Test
    void shouldRepeatARequestOfWhichHalfArrived() throws Exception {
        FaultyProxy proxy = keep(FaultyProxy.start(namenode()));
        TestClient distant = through(proxy);
        for (int round = 0; round < 5; round++) {
            proxy.toServer(Fault.HALF);
            assertThat(distant.createFile("/out" + round)).isNotNull();
            proxy.toClient(Fault.HALF);
            assertThat(distant.createFile("/in" + round)).isNotNull();
        }
        assertThat(proxy.firedFaults()).isEqualTo(10);
        assertThat(client.list("/")).hasSize(10);
    }

    /** D13: a namenode that falls silent is a timeout, not a hang. */
    @Test
    void shouldTimeOutWhenTheNetworkSwallowsAnswers() throws Exception {
        FaultyProxy proxy = keep(FaultyProxy.start(namenode()));
        TestClient distant = through(proxy);
        proxy.toClient(Fault.SWALLOW);
        assertFails(OperationTimeoutException.class, distant.store().lookup("/"));
        assertFails(OperationTimeoutException.class, distant.store().delete("/x", true));
        proxy.toClient(Fault.NONE);
        proxy.cut();
        assertThat(distant.lookup("/")).isNotNull();
    }

    /** D12: a thread that waits for an answer polls for some microseconds, and then parks. */
    @Test
    void shouldUseNextToNoProcessorTimeWhileNoAnswerComes() throws Exception {
        FaultyProxy proxy = keep(FaultyProxy.start(namenode()));
        TestClient distant = through(proxy);
        proxy.toClient(Fault.SWALLOW);
        ExecutorService callers = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Long>> waits = Collections.nCopies(
                    4, () -> processorNsUntilTimeout(distant.store().lookup("/")));
            for (Future<Long> usedNs : callers.invokeAll(waits)) {
                assertThat(usedNs.get()).isLessThan(200_000_000L); // of a wait of 2 s
            }
        } finally {
            callers.shutdownNow();
        }
    }

    private static long processorNsUntilTimeout(Future<?> call) throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long startNs = threads.getCurrentThreadCpuTime();
        try {
            call.get();
            throw new AssertionError("there was an answer");
        } catch (ExecutionException e) {
            long usedNs = threads.getCurrentThreadCpuTime() - startNs;
            assertThat(e).hasCauseInstanceOf(CrailException.class);
            return usedNs;
        }
    }

    /** D12: a call that could not be sent leaves no lock behind. */
    @Test
    void shouldServeTheNextCallAfterOneThatCouldNotBeSent() throws Exception {
        FaultyProxy proxy = keep(FaultyProxy.start(namenode()));
        TestClient distant = through(proxy);
        proxy.retarget(address(BEHIND_PROXY, proxy.port())); // nobody listens there
        proxy.cut();
        assertThat(answers(distant)).isFalse();
        assertThat(answers(distant)).isFalse();

        proxy.retarget(namenode());
        Await.until("a call is answered again", () -> answers(distant));
    }

    private static boolean answers(TestClient client) throws Exception {
        try {
            return client.lookup("/") != null;
        } catch (CrailException e) {
            return false;
        }
    }

    @Test
    void shouldWorkOverASlowNetwork() throws Exception {
        FaultyProxy proxy = keep(FaultyProxy.start(namenode()));
        TestClient distant = through(proxy);
        proxy.delayMs(20);
        distant.write("/file", Pattern.of(1, 2 * BLOCK));
        assertThat(distant.read("/file")).isEqualTo(Pattern.of(1, 2 * BLOCK));
    }

    @Test
    void shouldFailTransfersToASilentDatanodeInTimeAndNoOthers() throws Exception {
        FaultyProxy proxy = distantDatanode();
        write("/near", 0);
        write("/far", 1);
        assertThat(client.read("/far")).isEqualTo(Pattern.of(1, 2 * BLOCK));
        assertThat(proxy.toClientBytes()).as("transfers pass the proxy").isGreaterThan(BLOCK);

        proxy.toClient(Fault.SWALLOW);
        assertThatThrownBy(() -> client.read("/far"))
                .isInstanceOfAny(OperationTimeoutException.class, DatanodeUnreachableException.class);
        assertThat(client.read("/near")).isEqualTo(Pattern.of(1, 2 * BLOCK));

        proxy.toClient(Fault.NONE);
        proxy.cut();
        Await.until("the datanode can be reached again", () -> readable("/far"));
    }

    @Test
    void shouldReadAgainAfterHalfAReadArrived() throws Exception {
        FaultyProxy proxy = distantDatanode();
        write("/far", 1);
        for (int round = 0; round < 5; round++) {
            proxy.toClient(Fault.HALF);
            readable("/far");
            assertThat(proxy.firedFaults()).isEqualTo(round + 1);
            Await.until("the file can be read again", () -> readable("/far"));
        }
    }

    @Test
    void shouldFailPendingTransfersWhenTheirConnectionIsCut() throws Exception {
        FaultyProxy proxy = distantDatanode();
        write("/far", 1);
        proxy.toClient(Fault.STALL);
        var stream = client.lookup("/far").asFile().getDirectInputStream(0);
        Future<?> read = stream.read(TestClient.emptyBuffer(2 * BLOCK));
        proxy.retarget(address("127.0.0.3", proxy.port())); // nobody listens there, so that no second attempt succeeds
        proxy.cut();
        assertThatThrownBy(() -> TestClient.await(read))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining(BEHIND_PROXY);
        proxy.toClient(Fault.NONE);
        proxy.retarget(address(NEAR, proxy.port()));
        stream.close();
        Await.until("the file can be read again", () -> readable("/far"));
    }

    @Test
    void shouldSurviveGarbageOnBothPorts() throws Exception {
        client.write("/before", Pattern.of(1, BLOCK));
        CheckResponse before = cluster.checkBlocks();
        InetSocketAddress datanode = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), cluster.datanode(0).info().getPort());
        Random random = new Random(5);
        for (InetSocketAddress port : List.of(namenode(), datanode)) {
            for (int length : new int[] {0, 1, 3, 16, 1000, 100_000}) {
                byte[] garbage = new byte[length];
                random.nextBytes(garbage);
                send(port, garbage);
            }
            send(port, "GET / HTTP/1.1\r\nHost: crail\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            send(
                    port,
                    ByteBuffer.allocate(8).putInt(Integer.MAX_VALUE).putInt(1).array());
            send(port, ByteBuffer.allocate(8).putInt(-1).putInt(1).array());
            send(port, ByteBuffer.allocate(4).putInt(60_000).array());
        }
        assertThat(client.read("/before")).isEqualTo(Pattern.of(1, BLOCK));
        assertThat(client.list("/")).containsExactly("before");
        CheckResponse after = cluster.checkBlocks();
        assertThat(after.nodes()).isEqualTo(before.nodes());
        assertThat(after.allocated()).isEqualTo(before.allocated());
        TestClient fresh = anotherClient();
        fresh.write("/after", Pattern.of(2, 2 * BLOCK));
        assertThat(client.read("/after")).isEqualTo(Pattern.of(2, 2 * BLOCK));
    }

    private static void send(InetSocketAddress to, byte[] bytes) {
        try (Socket socket = new Socket(to.getAddress(), to.getPort());
                OutputStream out = socket.getOutputStream()) {
            socket.setSoTimeout(50);
            out.write(bytes);
            out.flush();
            if (socket.getInputStream().read() >= 0) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException e) {
            // The server may refuse such bytes as it likes.
        }
    }

    private InetSocketAddress namenode() {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), cluster.namenodeAddress().getPort());
    }

    private TestClient through(FaultyProxy proxy) throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        configuration.set("crail.namenode.address", "crail://localhost:" + proxy.port());
        return keep(TestClient.open(configuration));
    }

    /** Starts a datanode of class 1 that clients reach through a proxy on another loopback address. */
    private FaultyProxy distantDatanode() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        configuration.set("crail.datanode.bind", NEAR);
        configuration.set("crail.datanode.host", BEHIND_PROXY);
        configuration.set("crail.storage.tcp.port", "0");
        configuration.set("crail.storage.tcp.storagelimit", Integer.toString(8 * BLOCK));
        configuration.set("crail.storage.tcp.allocationsize", Integer.toString(8 * BLOCK));
        Datanode datanode = keep(Datanode.start(configuration, null, 1, List.of()));
        int port = datanode.info().getPort();
        return keep(FaultyProxy.start(address(NEAR, port), address(BEHIND_PROXY, port)));
    }

    private static InetSocketAddress address(String literal, int port) throws IOException {
        return new InetSocketAddress(InetAddress.getAllByName(literal)[0], port);
    }

    private void write(String path, int storageClass) throws Exception {
        CrailNode node = TestClient.await(client.store()
                .create(path, DATAFILE, CrailStorageClass.get(storageClass), CrailLocationClass.DEFAULT, true));
        TestClient.append(node.asFile(), Pattern.of(1, 2 * BLOCK));
    }

    private boolean readable(String path) throws Exception {
        try {
            Pattern.verify(1, 0, client.read(path));
            return true;
        } catch (CrailException e) {
            return false;
        }
    }

    private <T extends AutoCloseable> T keep(T resource) {
        opened.add(resource);
        return resource;
    }
}

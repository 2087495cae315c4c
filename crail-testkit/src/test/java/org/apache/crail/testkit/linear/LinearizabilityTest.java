/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.linear;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailNodeType;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.storage.datanode.Datanode;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.FaultyProxy;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.apache.crail.testkit.linear.LinearSearch.Verdict;
import org.apache.crail.testkit.linear.RandomCalls.Theme;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads of several stores work on a few paths at the same time. What each call answered must be what it would have
 * answered if the calls had come one after the other. Each round has a directory or table of its own.
 */
@Tag("faults")
@Timeout(value = 1, unit = TimeUnit.HOURS) // for as many rounds as one asks for; each has a limit of its own
class LinearizabilityTest {
    private static final Logger LOG = LoggerFactory.getLogger(LinearizabilityTest.class);
    private static final int BLOCK = 16 * 1024;
    private static final int BLOCKS = 4096;
    private static final int STORES = 3;
    private static final int THREADS_OF_STORE = 2;
    private static final int CALLS = 8;
    private static final int ROUND_LIMIT_S = 60;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<TestClient> clients = new ArrayList<>();
    private final List<FaultyProxy> proxies = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(STORES * THREADS_OF_STORE);
    private MiniCluster cluster;
    private TestClient near;
    private int undecided;
    private int inDoubt;

    @BeforeEach
    void startCluster() throws Exception {
        cluster = keep(MiniCluster.builder(ClusterKind.SOCKETS)
                .with("crail.blocksize", Integer.toString(BLOCK))
                .with("crail.buffersize", Integer.toString(BLOCK))
                .blocksPerDatanode(BLOCKS)
                .with("crail.tokenexpiration", Patience.ofMs(1_000))
                .with("crail.rpctimeout", Patience.ofMs(500))
                .with("crail.datatimeout", Patience.ofMs(500))
                .start());
        near = new TestClient(cluster.newStore());
        FaultyProxy toNamenode =
                keep(FaultyProxy.start(loopback(cluster.namenodeAddress().getPort())));
        proxies.add(toNamenode);
        proxies.add(distantDatanode());
        CrailConfiguration configuration = cluster.configuration();
        configuration.set("crail.namenode.address", "crail://localhost:" + toNamenode.port());
        for (int i = 0; i < STORES; i++) {
            clients.add(keep(TestClient.open(configuration)));
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Half of the blocks lie behind a proxy. */
    private FaultyProxy distantDatanode() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        configuration.set("crail.datanode.bind", "127.0.0.1");
        configuration.set("crail.datanode.host", "127.0.0.2");
        configuration.set("crail.storage.tcp.storagelimit", Integer.toString(BLOCKS * BLOCK));
        configuration.set("crail.storage.tcp.allocationsize", Integer.toString(BLOCKS * BLOCK));
        Datanode datanode = keep(Datanode.start(configuration, null, 0, List.of()));
        int port = datanode.info().getPort();
        return keep(FaultyProxy.start(loopback(port), new InetSocketAddress("127.0.0.2", port)));
    }

    private <T extends AutoCloseable> T keep(T resource) {
        opened.add(resource);
        return resource;
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerAsIfCallsCameOneAfterTheOther(Theme theme) throws Exception {
        rounds(theme, Rounds.of(120), Faults.NONE);
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerSoWhileConnectionsBreak(Theme theme) throws Exception {
        rounds(theme, Rounds.of(40), Faults.BREAKS);
        rounds(theme, Rounds.of(3), Faults.SILENCE);
        assertThat(inDoubt).as("calls of whose outcome nobody knew").isPositive();
    }

    /** What happens to connections during a round. */
    private enum Faults {
        NONE,
        /** They are cut, some within a message. */
        BREAKS,
        /** As well, and once what goes over them is lost for so long that calls time out. */
        SILENCE
    }

    private void rounds(Theme theme, int count, Faults faults) throws Exception {
        long seed = System.nanoTime();
        for (int i = 0; i < count; i++) {
            round(theme, seed + i, faults);
        }
        LOG.info("{} rounds, {}, {}, from seed {}: {} undecided", count, theme, faults, seed, undecided);
        assertThat(undecided).as("histories that were too long to decide").isLessThanOrEqualTo(count / 10);
        cluster.checkBlocks();
    }

    private void round(Theme theme, long seed, Faults faults) throws Exception {
        String base = "/" + theme + seed;
        near.create(base, theme.base == Action.Kind.TABLE ? CrailNodeType.TABLE : CrailNodeType.DIRECTORY);
        Recorder recorder = new Recorder();
        CyclicBarrier start = new CyclicBarrier(STORES * THREADS_OF_STORE);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < STORES * THREADS_OF_STORE; i++) {
            RecordedClient client = new RecordedClient("client " + i, clients.get(i % STORES), recorder, base);
            Random random = new Random(seed * 31 + i);
            RandomCalls calls = new RandomCalls(theme, client, random);
            boolean silences = i == 0 && faults == Faults.SILENCE;
            tasks.add(() -> {
                start.await(60, TimeUnit.SECONDS);
                for (int call = 0; call < CALLS; call++) {
                    if (silences && call == CALLS / 2) {
                        silently(random, calls);
                    } else {
                        disturb(random, faults);
                        calls.next();
                    }
                }
                return null;
            });
        }
        for (Future<Void> task : threads.invokeAll(tasks, ROUND_LIMIT_S, TimeUnit.SECONDS)) {
            TestClient.await(task);
        }
        check(recorder, theme, seed);
        near.delete(base, true);
    }

    private void check(Recorder recorder, Theme theme, long seed) {
        inDoubt += (int) recorder.steps().stream().filter(Step::isPending).count();
        try {
            Verdict verdict = new History(NamespaceState.empty(theme.base), recorder.steps()).check();
            undecided += verdict == Verdict.UNDECIDED ? 1 : 0;
        } catch (AssertionError e) {
            throw new AssertionError(theme + ", seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private void disturb(Random random, Faults faults) {
        if (faults == Faults.NONE || random.nextInt(6) > 0) {
            return;
        }
        FaultyProxy proxy = proxies.get(random.nextInt(proxies.size()));
        switch (random.nextInt(3)) {
            case 0 -> proxy.cut();
            case 1 -> proxy.toServer(FaultyProxy.Fault.HALF);
            default -> proxy.toClient(FaultyProxy.Fault.HALF);
        }
    }

    /** One call over connections that lose everything. */
    private void silently(Random random, RandomCalls calls) throws Exception {
        boolean isRequests = random.nextBoolean();
        for (FaultyProxy proxy : proxies) {
            if (isRequests) {
                proxy.toServer(FaultyProxy.Fault.SWALLOW);
            } else {
                proxy.toClient(FaultyProxy.Fault.SWALLOW);
            }
        }
        try {
            calls.next();
        } finally {
            for (FaultyProxy proxy : proxies) {
                proxy.toServer(FaultyProxy.Fault.NONE);
                proxy.toClient(FaultyProxy.Fault.NONE);
                proxy.cut();
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.storage.datanode.Datanode;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.apache.crail.testkit.servers.ClusterServers;
import org.apache.crail.testkit.servers.ServerPlace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The last one to run: the host of a target is lost while clients work, without any goodbye. Namenode, datanode and
 * clients are here.
 */
@Tag("nvmf")
@Tag("two-hosts")
@Order(Integer.MAX_VALUE)
@Timeout(600)
final class NvmfHostLossTest {
    private static final int BLOCK = 64 * 1024;
    private static final Duration CALL_LIMIT = Patience.of(Duration.ofSeconds(3));

    /** Several attempts of a client, each with connecting anew, may follow each other. */
    private static final Duration END_LIMIT = CALL_LIMIT.multipliedBy(10);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void shouldEndEveryReadAndWriteInTimeAndLoseTheDatanodeWhenTheTargetsHostIsLost() throws Exception {
        try (ClusterServers targetsHost = ServerPlace.newServers();
                MiniCluster cluster = clusterOfFlash();
                Datanode datanode = Datanode.start(cluster.configuration(), null, 0, labsTarget())) {
            assertThat(datanode.info().host()).isEqualTo(System.getenv("LAB_PEER"));
            TestClient client = new TestClient(cluster.newStore());
            client.write("/file", Pattern.of(1, 4 * BLOCK));
            Work reads = begin(() -> assertThat(client.read("/file")).isEqualTo(Pattern.of(1, 4 * BLOCK)));
            TestClient writer = new TestClient(cluster.newStore());
            writer.write("/log", Pattern.of(2, BLOCK));
            Work writes = begin(() -> writer.append("/log", Pattern.of(2, 1)));
            for (Work work : List.of(reads, writes)) {
                Await.until(
                        "everybody works",
                        () -> work.done().get() > 2 || work.end().isDone());
                assertThat(work.end()).as("has not ended").isNotDone();
            }
            targetsHost.killHost();

            for (Work work : List.of(reads, writes)) {
                assertThat(work.end().get(END_LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .isInstanceOf(CrailException.class);
            }
            Await.until(
                    "the datanode counts as lost",
                    () -> !cluster.call(new ReportRequest()).datanodes().get(0).live());
            TestClient other = new TestClient(cluster.newStore());
            assertThatThrownBy(() -> other.read("/file")).isInstanceOf(CrailException.class);
        }
    }

    private static MiniCluster clusterOfFlash() throws Exception {
        return MiniCluster.builder(ClusterKind.MEMORY)
                .datanodes(0)
                .with("crail.storage.types", "org.apache.crail.storage.nvmf.NvmfStorageTier")
                .with("crail.storage.nvmf.storagelimit", "16m")
                .with("crail.storage.nvmf.keepalive", Patience.ofMs(500))
                .with("crail.datatimeout", CALL_LIMIT.toSeconds() + "s")
                .start();
    }

    private static List<String> labsTarget() {
        return List.of("-a", System.getenv("LAB_PEER"), "-p", "4420", "-nqn", System.getenv("LAB_NQN"));
    }

    /** Repeats a step until it fails; its end is what it failed with. */
    private Work begin(Step step) {
        AtomicInteger done = new AtomicInteger();
        return new Work(done, threads.submit(() -> {
            try {
                while (true) {
                    step.run();
                    done.incrementAndGet();
                }
            } catch (Exception e) {
                return e;
            }
        }));
    }

    private record Work(AtomicInteger done, Future<Exception> end) {}

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }
}

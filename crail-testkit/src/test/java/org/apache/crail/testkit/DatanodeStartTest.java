/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ClusterMismatchException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.storage.datanode.Datanode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A datanode's start, and what keeps it from starting. */
class DatanodeStartTest {
    private static final Duration KEEPALIVE = Duration.ofMillis(250);

    private MiniCluster cluster;
    private CrailConfiguration configuration;

    @BeforeEach
    void start() throws Exception {
        cluster = MiniCluster.builder(ClusterKind.MEMORY)
                .datanodes(0)
                .with("crail.storage.keepalive", KEEPALIVE.toMillis() + "ms")
                .with("crail.storage.classes", "2")
                .start();
        configuration = cluster.configuration();
    }

    @AfterEach
    void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    /** D32: there is no moment at which a datanode runs and its blocks are unknown. */
    @Test
    void shouldHaveRegisteredAllItsBlocksWhenItHasStarted() throws Exception {
        cluster.startDatanode(1);

        DatanodeReport report = onlyDatanode();

        assertThat(report.datanode()).isEqualTo(cluster.datanode(0).info());
        assertThat(report.datanode().getStorageClass()).isEqualTo(1);
        assertThat(report.live()).isTrue();
        assertThat(report.blocks()).isEqualTo(64);
        assertThat(cluster.datanode(0).capacityBytes()).isEqualTo(64 * 64 * 1024);
    }

    /** D16: every heartbeat reaches the namenode, so that a datanode stays alive for as long as it beats. */
    @Test
    void shouldStayAliveBeyondTheTimeAfterWhichASilentOneIsDead() throws Exception {
        cluster.startDatanode(0);
        long silentLimitNs = 8 * KEEPALIVE.toNanos(); // a namenode takes a datanode for dead after 8 missed heartbeats
        long startNs = System.nanoTime();

        Await.until("the time limit of a silent datanode passes", () -> {
            assertThat(onlyDatanode().live()).isTrue();
            return System.nanoTime() - startNs > 2 * silentLimitNs;
        });
    }

    @Test
    void shouldRefuseATierThatTheClusterDoesNotHave() {
        assertThatThrownBy(() -> Datanode.start(configuration, "org.example.NoTier", -1, List.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("org.example.NoTier")
                .hasMessageContaining("crail.storage.types");
    }

    @Test
    void shouldRefuseATierThatIsNoTier() {
        configuration.set("crail.storage.types", "java.lang.String");

        assertThatThrownBy(() -> Datanode.start(configuration, null, -1, List.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("java.lang.String");
    }

    @Test
    void shouldRefuseAStorageClassThatDoesNotExist() throws Exception {
        assertThatThrownBy(() -> Datanode.start(configuration, null, 2, List.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("storage class 2");
        assertThat(cluster.call(new ReportRequest()).datanodes()).isEmpty();
    }

    @Test
    void shouldRefuseBlocksOfAnotherSize() {
        configuration.set("crail.blocksize", "128k");

        assertThatThrownBy(() -> Datanode.start(configuration, null, 0, List.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("131072")
                .hasMessageContaining("65536");
    }

    @Test
    void shouldRefuseToJoinAnotherCluster() {
        configuration.set(CrailKeys.CLUSTER_ID, "another");

        assertThatThrownBy(() -> Datanode.start(configuration, null, 0, List.of()))
                .isInstanceOf(ClusterMismatchException.class)
                .hasMessageContaining("another");
    }

    @Test
    void shouldSayThatTheNamenodeIsNotThere() {
        configuration.set("crail.namenode.address", "crail://localhost:1");
        configuration.set("crail.connecttimeout", "2s");
        configuration.set("crail.datanode.connectlimit", "0s");

        assertThatThrownBy(() -> Datanode.start(configuration, null, 0, List.of()))
                .isInstanceOf(NamenodeUnreachableException.class)
                .hasMessageContaining("localhost");
    }

    @Test
    void shouldWaitForANamenodeThatStartsLater() throws Exception {
        cluster.stopNamenode();
        configuration.set("crail.connecttimeout", "50ms");
        FutureTask<Datanode> start = new FutureTask<>(() -> Datanode.start(configuration, null, 0, List.of()));
        Thread thread = new Thread(start, "datanode that waits");
        thread.start();
        assertThatThrownBy(() -> start.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);

        cluster.startNamenode();

        Datanode datanode = start.get();
        assertThat(onlyDatanode().datanode()).isEqualTo(datanode.info());
        datanode.close();
    }

    /** The namenode learns at once that a datanode stops, and not by its silence. */
    @Test
    void shouldSignOffWhenItIsStopped() throws Exception {
        try (MiniCluster patient = MiniCluster.builder(ClusterKind.MEMORY)
                .datanodes(0)
                .with("crail.storage.keepalive", "1h")
                .start()) {
            Datanode datanode = Datanode.start(patient.configuration(), null, 0, List.of());
            assertThat(onlyDatanode(patient).live()).isTrue();

            datanode.close();

            assertThat(onlyDatanode(patient).live()).isFalse();
        }
    }

    private DatanodeReport onlyDatanode() throws Exception {
        return onlyDatanode(cluster);
    }

    private static DatanodeReport onlyDatanode(MiniCluster cluster) throws Exception {
        List<DatanodeReport> datanodes = cluster.call(new ReportRequest()).datanodes();
        assertThat(datanodes).hasSize(1);
        return datanodes.get(0);
    }
}

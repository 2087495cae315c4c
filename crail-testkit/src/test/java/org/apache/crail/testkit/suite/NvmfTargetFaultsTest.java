/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.DatanodeLostException;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.apache.crail.testkit.nvme.NvmeTarget;
import org.apache.crail.testkit.nvme.NvmeTargets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Targets that go, come back, and change their namespace, below a cluster that is in use. */
@Tag("nvmf")
final class NvmfTargetFaultsTest extends ClusterSuite {
    private static final int MEBIBYTES = 32;
    private static final int FEWER = 16;
    private static final int MORE = 48;
    private static final int WRITERS = 2;
    private static final Duration BACK_LIMIT =
            Patience.of(Duration.ofSeconds(30)); // one connect may run into its limit

    /** Values that are to be acknowledged before and after each fault. */
    private static final int VALUES = 8;

    private final NvmeTarget target = NvmeTargets.numbered(0);
    private final int formerMebibytes = target.mebibytes();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<LoadedTable> tables = new ArrayList<>();
    private final List<Future<Void>> running = new ArrayList<>();

    @Override
    protected ClusterKind kind() {
        return ClusterKind.NVMF;
    }

    /** Two datanodes; the tests are about the first one and its target. */
    @Override
    protected MiniCluster.Builder shape() throws Exception {
        target.resize(MEBIBYTES);
        return super.shape()
                .datanodes(2)
                .blocksPerDatanode((FEWER << 20) / BLOCK - 1)
                .with("crail.storage.keepalive", Patience.ofMs(200))
                .with("crail.storage.nvmf.keepalive", Patience.ofMs(200));
    }

    @AfterEach
    void restoreTarget() throws Exception {
        tables.forEach(LoadedTable::stop);
        threads.shutdownNow();
        target.restore();
        target.resize(formerMebibytes);
    }

    @Test
    void shouldKeepWhatWasAcknowledgedWhenTheTargetEndsConnections() throws Exception {
        startLoad();
        for (int round = 0; round < 2; round++) {
            awaitValues();
            target.reset();
        }
        awaitValues();
        stopLoad();
        Await.until("the datanode is there", () -> live(0));
    }

    @Test
    void shouldGoOnElsewhereWithoutATargetAndHaveItsDataWhenItIsBack() throws Exception {
        startLoad();
        awaitValues();
        target.remove();
        Await.until("the datanode without its target is lost", () -> !live(0));
        awaitValues();
        target.restore();
        Await.until("the datanode is back", BACK_LIMIT, () -> live(0));
        awaitValues();
        stopLoad();
    }

    @Test
    void shouldUseANamespaceThatGrowsAsBeforeAndLoseOneThatShrinksUntilItIsRestored() throws Exception {
        long blocks = report(0).blocks();
        startLoad();
        awaitValues();
        target.resize(MORE);
        awaitValues();
        Await.until("the datanode with a larger namespace is there", () -> live(0));
        assertThat(report(0).blocks()).isEqualTo(blocks);

        target.resize(FEWER);
        Await.until("the datanode with too small a namespace is lost", () -> !live(0));
        awaitValues();
        target.resize(MEBIBYTES);
        Await.until("the datanode is back", BACK_LIMIT, () -> live(0));
        stopLoad();
    }

    @Test
    void shouldLoseTheBlocksOfADatanodeWithAnotherMediumAndOfOneThatEnds() throws Exception {
        client.create("/t", CrailNodeType.TABLE);
        String first = putOn(0, "/t/first");
        target.eraseDisk();
        Await.until("the datanode without its data is lost", () -> !live(0));
        assertLost(first);

        cluster.stopDatanode(0);
        cluster.restartDatanode(0);
        Await.until("its blocks are given out again", () -> report(0).freeBlocks() > 0);
        assertLost(first);
        String second = putOn(0, "/t/second");
        assertThat(client.read(second)).isEqualTo(Pattern.of(1, BLOCK));

        cluster.killDatanode(0);
        Await.until("the datanode is lost while its target stays", () -> !live(0));
        assertLost(second);
    }

    /** For a client that asks anew: one that knows the location may use it until its lease ends. */
    private void assertLost(String path) throws Exception {
        TestClient other = anotherClient();
        assertThatThrownBy(() -> other.read(path)).isInstanceOf(DatanodeLostException.class);
    }

    /** Puts a value whose block is on that datanode; blocks come from all in turn. */
    private String putOn(int datanode, String prefix) throws Exception {
        int port = cluster.datanode(datanode).info().getPort();
        for (int i = 0; i < 2; i++) {
            String path = prefix + i;
            client.put(path, Pattern.of(1, BLOCK));
            String name = client.lookup(path).getBlockLocations(0, BLOCK)[0].getNames()[0];
            if (name.endsWith(":" + port)) {
                return path;
            }
        }
        throw new AssertionError("no block came from datanode " + datanode);
    }

    private DatanodeReport report(int datanode) throws Exception {
        String identity = cluster.datanode(datanode).info().identity();
        return cluster.call(new ReportRequest()).datanodes().stream()
                .filter(each -> each.datanode().identity().equals(identity))
                .findFirst()
                .orElseThrow();
    }

    private boolean live(int datanode) throws Exception {
        return report(datanode).live();
    }

    private void startLoad() throws Exception {
        for (int i = 0; i < WRITERS; i++) {
            String path = "/table" + i;
            client.create(path, CrailNodeType.TABLE);
            LoadedTable table = new LoadedTable(anotherClient(), anotherClient(), path, i);
            tables.add(table);
            running.add(threads.submit(table::write));
            running.add(threads.submit(table::read));
        }
    }

    /** Waits until every writer has had values acknowledged, beginning from now. */
    private void awaitValues() throws Exception {
        for (LoadedTable table : tables) {
            int before = table.acknowledged();
            Await.until(
                    "values are acknowledged",
                    () -> table.acknowledged() >= before + VALUES
                            || running.stream().anyMatch(Future::isDone));
        }
    }

    /** Ends the load; everything that was acknowledged must be there. */
    private void stopLoad() throws Exception {
        tables.forEach(LoadedTable::stop);
        for (Future<Void> each : running) {
            each.get(2, TimeUnit.MINUTES);
        }
        for (LoadedTable table : tables) {
            table.verify(client);
        }
    }
}

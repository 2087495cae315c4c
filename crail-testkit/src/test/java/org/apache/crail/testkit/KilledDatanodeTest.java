/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Future;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeLostException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A datanode process that is killed under a writer: the writer learns it, and nothing else is harmed. */
@Tag("faults")
final class KilledDatanodeTest {
    private static final int BLOCK = 64 * 1024;
    private static final int BLOCKS = 256;
    private static final int IN_FLIGHT = 8;

    @TempDir
    Path work;

    @Test
    void shouldFailOnlyWhatWasWrittenToAKilledDatanode() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS)
                .with("crail.storage.classes", "2")
                .with("crail.tokenexpiration", Patience.ofMs(1_000))
                .with("crail.storage.keepalive", Patience.ofMs(2_000)) // the test ends before the namenode notices
                .with("crail.storage.tcp.datapath", work.toString())
                .with("crail.storage.tcp.storagelimit", "16m")
                .with("crail.storage.tcp.allocationsize", "16m")
                .blocksPerDatanode(BLOCKS)
                .start()) {
            TestClient client = new TestClient(cluster.newStore());
            client.write("/kept", Pattern.of(1, 4 * BLOCK));
            Process datanode = ClusterProcess.start(DatanodeProcess.class, cluster, work);
            try {
                assertThat(datanode.isAlive()).isTrue();
                assertUnreachable(failureOfWrites(create(client, "/lost"), datanode));
            } finally {
                datanode.destroyForcibly().waitFor();
            }

            assertThat(client.list("/")).containsExactlyInAnyOrder("kept", "lost");
            assertThat(client.read("/kept")).isEqualTo(Pattern.of(1, 4 * BLOCK));
            cluster.checkBlocks();

            client.delete("/lost", false); // it has gone around to all blocks of the other datanode
            client.write("/new", Pattern.of(2, 4 * BLOCK));
            assertThat(client.read("/new")).isEqualTo(Pattern.of(2, 4 * BLOCK));
            Await.until("only what can be read holds blocks", () -> holdsBlocksOfKeptAndNew(cluster.checkBlocks()));
        }
    }

    @Test
    void shouldGiveOutNoBlocksOfAKilledDatanode() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS)
                .with("crail.storage.classes", "2")
                .with("crail.storage.keepalive", Patience.ofMs(500)) // no pause of a busy machine is taken for death
                .with("crail.storage.tcp.datapath", work.toString())
                .with("crail.storage.tcp.storagelimit", "16m")
                .with("crail.storage.tcp.allocationsize", "16m")
                .blocksPerDatanode(BLOCKS)
                .start()) {
            TestClient client = new TestClient(cluster.newStore());
            Process datanode = ClusterProcess.start(DatanodeProcess.class, cluster, work);
            try {
                TestClient.append(create(client, "/before"), Pattern.of(1, BLOCK));
            } finally {
                datanode.destroyForcibly().waitFor();
            }
            Await.until("the namenode misses its heartbeats", () -> !secondClass(cluster)
                    .live());
            assertThat(secondClass(cluster).freeBlocks()).isEqualTo(BLOCKS - 1);

            TestClient.append(create(client, "/meanwhile"), Pattern.of(2, 4 * BLOCK));

            assertThat(client.read("/meanwhile")).isEqualTo(Pattern.of(2, 4 * BLOCK));
            assertThat(secondClass(cluster).freeBlocks()).isEqualTo(BLOCKS - 1);
            cluster.checkBlocks();
        }
    }

    private static DatanodeReport secondClass(MiniCluster cluster) throws Exception {
        return cluster.call(new ReportRequest()).datanodes().stream()
                .filter(report -> report.datanode().getStorageClass() == 1)
                .findFirst()
                .orElseThrow();
    }

    private static void assertUnreachable(CrailException failure) {
        assertThat(failure)
                .isInstanceOfAny(
                        DatanodeUnreachableException.class,
                        DatanodeLostException.class,
                        OperationTimeoutException.class);
    }

    private static CrailFile create(TestClient client, String path) throws Exception {
        return client.store()
                .create(path, CrailNodeType.DATAFILE, CrailStorageClass.get(1), CrailLocationClass.DEFAULT, true)
                .get()
                .syncDir()
                .asFile();
    }

    /** Two files of four blocks. */
    private static boolean holdsBlocksOfKeptAndNew(CheckResponse check) {
        return check.allocated() == 8 && check.pending() == 0;
    }

    /** Kills the datanode while writes are under way; all end, and the first failure is answered. */
    private static CrailException failureOfWrites(CrailFile file, Process datanode) throws Exception {
        Deque<Future<CrailResult>> writes = new ArrayDeque<>();
        CrailOutputStream stream = file.getDirectOutputStream(0);
        for (int i = 0; i < IN_FLIGHT; i++) {
            writes.add(stream.write(TestClient.buffer(new byte[BLOCK])));
        }
        TestClient.await(writes.remove());
        datanode.destroyForcibly();
        CrailException failure = null;
        while (failure == null || !writes.isEmpty()) {
            try {
                if (failure == null) {
                    writes.add(stream.write(TestClient.buffer(new byte[BLOCK])));
                }
                TestClient.await(writes.remove());
            } catch (CrailException e) {
                failure = failure == null ? e : failure;
            }
        }
        try {
            stream.close();
        } catch (CrailException e) {
            assertUnreachable(e);
        }
        return failure;
    }
}

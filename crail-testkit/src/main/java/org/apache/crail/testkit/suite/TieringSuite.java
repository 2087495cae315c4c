/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.apache.crail.CrailNodeType.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.core.CoreDataStore;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory as class 0 and a larger class 1 behind it: which class serves what. */
public abstract class TieringSuite extends ClusterSuite {
    private static final int FIRST_CLASS_BLOCKS = 8;

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .firstClassOnly()
                .blocksPerDatanode(FIRST_CLASS_BLOCKS)
                .with("crail.storage.classes", "2")
                .with(
                        "crail.smallblocksize",
                        "0") // a value begins in its own block, so that all blocks are accounted for
                .with("crail.tokenexpiration", Patience.ofMs(1_000)) // deleted blocks are soon free again
                .with("crail.storage.keepalive", Patience.ofMs(1_000)); // none is lost, however slow the machine is
    }

    @BeforeEach
    void startSecondClass() throws Exception {
        cluster.startDatanode(1);
        client.create("/t", TABLE);
    }

    @Test
    void shouldFillClass0SpillToClass1AndComeBack() throws Exception {
        int free = FIRST_CLASS_BLOCKS;
        byte[] spilling = Pattern.of(1, (free + 2) * BLOCK + 100);
        client.put("/t/spilling", spilling);
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < free + 3; i++) {
            expected.add(i < free ? 0 : 1);
        }
        assertThat(classesOf("/t/spilling")).isEqualTo(expected);
        assertThat(usedBlocks(0)).isEqualTo(FIRST_CLASS_BLOCKS);
        assertThat(usedBlocks(1)).isEqualTo(3);

        client.put("/t/later", Pattern.of(2, 2 * BLOCK));
        assertThat(classesOf("/t/later")).containsExactly(1, 1);

        assertServedBy(spilling.length, (long) free * BLOCK, "/t/spilling", 1);
        assertServedBy(2 * BLOCK, 0, "/t/later", 2);

        client.delete("/t/spilling", false);
        Await.until("class 0 has room again", () -> usedBlocks(0) == 0);
        client.put("/t/back", Pattern.of(3, 2 * BLOCK));
        assertThat(classesOf("/t/back")).containsExactly(0, 0);
        assertThat(classesOf("/t/later")).containsExactly(1, 1);
        assertServedBy(2 * BLOCK, 2 * BLOCK, "/t/back", 3);
    }

    @Test
    void shouldHonourAnExplicitClass() throws Exception {
        for (int wished = 0; wished < 2; wished++) {
            String path = "/class" + wished;
            CrailNode node = TestClient.await(client.store()
                    .create(path, DATAFILE, CrailStorageClass.get(wished), CrailLocationClass.DEFAULT, false));
            TestClient.append(node.asFile(), Pattern.of(wished, 2 * BLOCK));
            // 0 is no wish, which is served by class 0 as long as it has blocks
            assertThat(classesOf(path)).containsExactly(wished, wished);
            assertThat(client.read(path)).isEqualTo(Pattern.of(wished, 2 * BLOCK));
        }
    }

    /** A store that reads the whole file, and that has counted which class served how much of it. */
    private void assertServedBy(long bytes, long ofClass0, String path, long id) throws Exception {
        CoreDataStore store = (CoreDataStore) cluster.newStore();
        byte[] found = new TestClient(store).read(path);
        assertThat(found).hasSize((int) bytes);
        Pattern.verify(id, 0, found);
        SortedMap<Integer, Long> served = store.transfers().bytesByClass();
        assertThat(served.getOrDefault(0, 0L)).isEqualTo(ofClass0);
        assertThat(served.getOrDefault(1, 0L)).isEqualTo(bytes - ofClass0);
    }

    /** The class of each block of a node. */
    private List<Integer> classesOf(String path) throws Exception {
        String firstClass = cluster.datanode(0).info().address();
        CrailNode node = client.lookup(path);
        List<Integer> classes = new ArrayList<>();
        for (CrailBlockLocation location : node.getBlockLocations(0, node.getCapacity())) {
            classes.add(location.getNames()[0].equals(firstClass) ? 0 : 1);
        }
        return classes;
    }

    /** Blocks of a class that cannot be given out now. */
    private long usedBlocks(int storageClass) throws Exception {
        long used = 0;
        for (DatanodeReport each : cluster.call(new ReportRequest()).datanodes()) {
            if (each.datanode().getStorageClass() == storageClass) {
                used += each.blocks() - each.freeBlocks();
            }
        }
        return used;
    }
}

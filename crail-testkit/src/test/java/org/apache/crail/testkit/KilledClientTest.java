/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.TokenTakenException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client process that is killed loses what it had not synced, and nothing else; its blocks come back. */
@Tag("faults")
final class KilledClientTest {
    static final int KEYS = 6;

    private static final int BYTES = 200_000;
    private static final int BLOCK = 64 * 1024;
    private static final int KILLS = 3;

    /** The block of which small values get parts. */
    private static final int SHARED = 1;

    @TempDir
    Path work;

    @Test
    void shouldLoseOnlyWhatAKilledClientHadNotSynced() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS)
                .with("crail.tokenexpiration", "1s")
                .start()) {
            TestClient client = new TestClient(cluster.newStore());
            client.write("/other", Pattern.of(2, BYTES));
            ClusterProcess.start(OrphanWriter.class, cluster, work, "/orphan", Integer.toString(BYTES))
                    .destroyForcibly()
                    .waitFor();

            assertThat(client.lookup("/orphan").getCapacity()).isZero();
            cluster.checkBlocks();
            Await.until("another writer can take over", () -> appended(client));
            assertThat(client.read("/orphan")).isEqualTo(Pattern.of(3, BYTES));
            assertThat(client.read("/other")).isEqualTo(Pattern.of(2, BYTES));

            client.delete("/orphan", false);
            client.delete("/other", false);
            Await.until("all blocks are reclaimed", () -> cluster.checkBlocks().allocated() <= 1);
            assertThat(client.list("/")).isEmpty();
        }
    }

    /** A value whose number tells its length: one block or four. */
    static byte[] value(long id) {
        return Pattern.selfDescribing(id, id % 2 == 0 ? 10_000 : BYTES);
    }

    @Test
    void shouldGiveAllBlocksOfKilledWritersBackWhenTheirTokensHaveExpired() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS)
                .with("crail.tokenexpiration", Patience.ofMs(1_000))
                .blocksPerDatanode(512)
                .start()) {
            TestClient client = new TestClient(cluster.newStore());
            long freeBlocks = cluster.checkBlocks().free();
            client.create("/table", CrailNodeType.TABLE);
            for (int key = 0; key < KEYS; key++) {
                client.put("/table/" + key, value(key));
            }

            for (int i = 0; i < KILLS; i++) {
                Process writer = ClusterProcess.start(RestlessWriter.class, cluster, work, "/table");
                assertThat(writer.isAlive()).as("is putting values").isTrue();
                writer.destroyForcibly().waitFor();
                assertThat(blocksOfWholeValues(client)).isPositive();
                cluster.checkBlocks();
            }

            Await.until(
                    "only values hold blocks",
                    () -> cluster.checkBlocks().free() >= freeBlocks - SHARED - blocksOfWholeValues(client));
            client.delete("/table", true);
            Await.until("all blocks are free", () -> cluster.checkBlocks().free() >= freeBlocks - SHARED);
        }
    }

    /** Each key has a whole value, the former one or a later one. */
    private static long blocksOfWholeValues(TestClient client) throws Exception {
        long blocks = 0;
        for (int key = 0; key < KEYS; key++) {
            byte[] read = client.read("/table/" + key);
            assertThat(read).isEqualTo(value(Pattern.verifySelfDescribing(read)));
            blocks += (read.length + BLOCK - 1) / BLOCK;
        }
        return blocks;
    }

    private static boolean appended(TestClient client) throws Exception {
        try {
            client.append("/orphan", Pattern.of(3, BYTES));
            return true;
        } catch (TokenTakenException e) {
            return false;
        }
    }
}

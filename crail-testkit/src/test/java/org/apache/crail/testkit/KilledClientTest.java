/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.crail.error.TokenTakenException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client process that is killed between create and sync loses what it had not synced, and nothing else. */
@Tag("faults")
final class KilledClientTest {
    private static final int BYTES = 200_000;

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

    private static boolean appended(TestClient client) throws Exception {
        try {
            client.append("/orphan", Pattern.of(3, BYTES));
            return true;
        } catch (TokenTakenException e) {
            return false;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.rpc.message.ReportRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A small store that is filled several times over, as nodes of some directories are removed. */
@Timeout(120)
final class EvictionTest {
    private static final int BLOCK = 64 * 1024;
    private static final int BLOCKS = 16;
    private static final int FILLED = 5;
    private static final int NEWEST = BLOCKS / 4;

    private MiniCluster cluster;
    private TestClient client;

    @BeforeEach
    void start() throws Exception {
        cluster = MiniCluster.builder(ClusterKind.SOCKETS)
                .blocksPerDatanode(BLOCKS)
                .with("crail.namenode.evict", "/cache,/table")
                .with("crail.tokenexpiration", Patience.ofMs(400))
                .start();
        client = new TestClient(cluster.newStore());
        client.create("/cache", CrailNodeType.DIRECTORY);
        client.create("/table", CrailNodeType.TABLE);
        client.create("/keep", CrailNodeType.DIRECTORY);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.checkBlocks();
        cluster.close();
    }

    private boolean exists(String path) throws Exception {
        return client.lookup(path) != null;
    }

    @Test
    void shouldTakeMoreThanItHolds() throws Exception {
        client.write("/keep/f", Pattern.of(1, 2 * BLOCK));
        client.write("/cache/0", Pattern.of(0, BLOCK));
        CrailBufferedInputStream in = client.lookup("/cache/0").asFile().getBufferedInputStream(0);
        assertThat(in.read()).isEqualTo(Pattern.of(0, BLOCK)[0] & 0xff);

        int files = FILLED * BLOCKS;
        for (int i = 1; i < files; i++) {
            client.write("/cache/" + i, Pattern.of(i, BLOCK));
        }

        assertThat(client.read("/keep/f")).isEqualTo(Pattern.of(1, 2 * BLOCK));
        for (int i = files - NEWEST; i < files; i++) {
            assertThat(client.read("/cache/" + i)).isEqualTo(Pattern.of(i, BLOCK));
        }
        for (int i = 0; i < files - BLOCKS; i++) {
            assertThat(exists("/cache/" + i)).as("file %d", i).isFalse();
        }
        assertThatThrownBy(in::readAllBytes).isInstanceOf(StaleNodeException.class);
        assertThat(cluster.call(new ReportRequest()).evicted()).isBetween((long) files - BLOCKS, (long) files - NEWEST);
    }

    @Test
    void shouldTakeMoreValuesThanItHolds() throws Exception {
        client.write("/keep/f", Pattern.of(1, (BLOCKS - 4) * BLOCK));
        int values = 2 * (4 * BLOCK / 4096);
        for (int i = 0; i < values; i++) {
            client.put("/table/" + i, Pattern.of(i, 1_000));
        }
        assertThat(client.read("/keep/f")).isEqualTo(Pattern.of(1, (BLOCKS - 4) * BLOCK));
        assertThat(client.read("/table/" + (values - 1))).isEqualTo(Pattern.of(values - 1, 1_000));
        assertThat(exists("/table/0")).isFalse();
    }

    @Test
    void shouldRefuseWhatItCannotHold() throws Exception {
        client.write("/cache/f", Pattern.of(1, BLOCK));
        assertThatThrownBy(() -> client.write("/keep/f", Pattern.of(2, (BLOCKS + 1) * BLOCK)))
                .isInstanceOf(NoFreeBlocksException.class);
        assertThat(exists("/cache/f")).isFalse();
    }
}

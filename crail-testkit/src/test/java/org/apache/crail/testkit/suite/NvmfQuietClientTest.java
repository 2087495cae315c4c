/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.storage.nvmf.NvmfCounters;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.apache.crail.testkit.nvme.NvmeTarget;
import org.apache.crail.testkit.nvme.NvmeTargets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client with nothing under way while its target ends connections, or is made anew, notices nothing. */
@Tag("nvmf")
final class NvmfQuietClientTest extends ClusterSuite {
    private static final int ROUNDS = 3;

    private final NvmfCounters counters = CountedNvmfTier.counters();
    private final NvmeTarget target = NvmeTargets.numbered(0);
    private TestClient quiet;

    @Override
    protected ClusterKind kind() {
        return ClusterKind.NVMF;
    }

    /**
     * The datanode is back long before it counts as silent, and the client's keep-alives come too late to notice
     * anything.
     */
    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .datanodes(1)
                .with("crail.storage.keepalive", Patience.ofMs(2_000))
                .with("crail.storage.nvmf.keepalive", Patience.ofMs(200));
    }

    @BeforeEach
    void openQuietStore() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        configuration.set("crail.storage.types", CountedNvmfTier.class.getName());
        configuration.set("crail.storage.nvmf.keepalive", "1min");
        quiet = TestClient.open(configuration);
        quiet.create("/t", CrailNodeType.TABLE);
        quiet.put("/t/value", Pattern.of(1, BLOCK));
    }

    @AfterEach
    void restoreTarget() throws Exception {
        quiet.close();
        target.restore();
    }

    @Test
    void shouldReadAndWriteOverNewConnectionsWhenTheTargetHasEndedTheOldOnes() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            long connections = counters.connections();
            target.reset();
            useTheStore(round);
            assertThat(counters.connections()).isEqualTo(connections + 1);
        }
    }

    @Test
    void shouldReadAndWriteWhenTheTargetHasBeenMadeAnew() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            long connections = counters.connections();
            target.remove();
            target.restore();
            useTheStore(round);
            assertThat(counters.connections()).isEqualTo(connections + 1);
        }
    }

    /** Reads first in even rounds, writes first in odd ones. */
    private void useTheStore(int round) throws Exception {
        String path = "/t/round" + round;
        if (round % 2 == 1) {
            quiet.put(path, Pattern.of(round, BLOCK));
        }
        assertThat(quiet.read("/t/value")).isEqualTo(Pattern.of(1, BLOCK));
        quiet.put(path, Pattern.of(round, 1_000));
        assertThat(quiet.read(path)).isEqualTo(Pattern.of(round, 1_000));
    }
}

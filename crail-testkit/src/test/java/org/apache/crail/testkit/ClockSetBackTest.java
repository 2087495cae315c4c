/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.namenode.NameNodeService;
import org.apache.crail.namenode.NamenodeClock;
import org.apache.crail.namenode.NamenodeSettings;
import org.apache.crail.rpc.message.ReportRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A namenode that starts with an earlier clock than the one before it. */
@Tag("faults")
@Timeout(180)
class ClockSetBackTest {
    private static final int BLOCK = 64 * 1024;
    private static final int BLOCKS = 16;

    @Test
    void shouldUseAllBlocksOfDatanodesThatKnowTheFormerNamenode() throws Exception {
        AheadService.aheadMs = TimeUnit.HOURS.toMillis(2);
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS)
                .blocksPerDatanode(BLOCKS)
                .with("crail.namenode.rpcservice", AheadService.class.getName())
                .start()) {
            TestClient client = new TestClient(cluster.newStore());
            byte[] all = Pattern.of(1, (BLOCKS - 1) * BLOCK);
            client.write("/former", all);

            cluster.stopNamenode();
            AheadService.aheadMs = 0;
            cluster.startNamenode();
            Await.until("the datanode's blocks can be had again", () -> areBlocksFree(cluster));

            TestClient later = new TestClient(cluster.newStore());
            byte[] other = Pattern.of(2, (BLOCKS - 1) * BLOCK);
            later.write("/latter", other);
            assertThat(later.read("/latter")).isEqualTo(other);
            cluster.checkBlocks();
        } finally {
            AheadService.aheadMs = 0;
        }
    }

    private static boolean areBlocksFree(MiniCluster cluster) throws Exception {
        try {
            return cluster.call(new ReportRequest()).datanodes().stream()
                    .anyMatch(datanode -> datanode.freeBlocks() == BLOCKS);
        } catch (NamenodeUnreachableException e) {
            return false;
        }
    }

    /** A namenode whose clock is ahead. Thread safe. */
    public static final class AheadService extends NameNodeService {
        private static volatile long aheadMs;

        /** Makes one that is as much ahead as the test says. */
        public AheadService(NamenodeSettings settings, NamenodeClock clock) {
            super(settings, ahead(clock, aheadMs));
        }

        private static NamenodeClock ahead(NamenodeClock clock, long ms) {
            return new NamenodeClock() {
                @Override
                public long nanoTime() {
                    return clock.nanoTime();
                }

                @Override
                public long currentTimeMillis() {
                    return clock.currentTimeMillis() + ms;
                }
            };
        }
    }
}

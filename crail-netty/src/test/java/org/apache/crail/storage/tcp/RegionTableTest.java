/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.local.block.BlockFence;
import org.apache.crail.local.block.MappedRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which requests concern a block that exists, in an epoch that was given. */
class RegionTableTest {
    private static final int BLOCK = 1 << 20;

    @TempDir(factory = InMemory.class)
    private Path dataPath;

    private final RegionTable table = new RegionTable();
    private TierFixture fixture;
    private int key;

    @BeforeEach
    void makeRegion() throws Exception {
        fixture = new TierFixture(dataPath, false).start();
        MappedRegion region = fixture.server.directory().createRegion(BLOCK, BLOCK);
        key = table.add(region, Optional.empty(), BlockFence.inProcess(region.blocks()));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void open(boolean write, long epoch) throws Exception {
        table.open(new TransferRequest(write, 1, key, 0, BLOCK, epoch, 0, 1));
    }

    @Test
    void shouldNotBelieveAnEpochThatNoNamenodeHasGiven() throws Exception {
        table.admitEpochs(100);
        open(true, 7);
        for (boolean write : new boolean[] {true, false}) {
            assertThatThrownBy(() -> open(write, Long.MAX_VALUE))
                    .isInstanceOf(StaleBlockException.class)
                    .hasMessageContaining("the highest is 100");
        }
        open(true, 7);
        open(false, 100);
    }

    @Test
    void shouldFollowTheHighestLimitOnly() throws Exception {
        table.admitEpochs(100);
        table.admitEpochs(200);
        table.admitEpochs(50);
        open(true, 200);
        assertThatThrownBy(() -> open(true, 201)).isInstanceOf(StaleBlockException.class);
    }
}

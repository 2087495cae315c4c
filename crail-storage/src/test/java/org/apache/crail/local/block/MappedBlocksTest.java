/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.file.DataDirectory;
import org.apache.crail.storage.file.TestDirectories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedBlocksTest {
    private static final int BLOCK = 4096;
    private static final int KEY = 7_000;
    private static final BlockInfo INFO = new BlockInfo(new DataNodeInfo(0, 0, 0, "localhost", 1), 0, 0, BLOCK, KEY, 1);

    @TempDir(factory = LocalRegionsTest.InMemory.class)
    private Path path;

    private DataDirectory directory;
    private MappedRegion region;
    private final MappedBlocks blocks = new MappedBlocks();

    @BeforeEach
    void startDatanode() throws Exception {
        directory = TestDirectories.claim(path, "some-any-1");
        region = directory.createRegion(BLOCK, BLOCK);
        assertThat(directory.shareRegion(region, 0, new RegionName(KEY, 0, 0, 0)))
                .isPresent();
    }

    @AfterEach
    void stopDatanode() {
        directory.close();
    }

    private void awaitMapped() {
        while (!blocks.isMapped(INFO)) {
            Thread.onSpinWait();
        }
    }

    private boolean isWritten(int bytes, long offset) throws Exception {
        return blocks.copy(true, ByteBuffer.wrap(new byte[bytes]), INFO, offset);
    }

    @Test
    void shouldCopyWhileAConnectionStands() throws Exception {
        assertThat(blocks.isMapped(INFO)).isFalse();
        assertThat(isWritten(1, 0)).as("without a connection").isFalse();
        blocks.begin(directory.stampedOffer());
        awaitMapped();
        assertThat(blocks.isInUse()).isTrue();
        assertThat(blocks.copy(true, ByteBuffer.wrap(new byte[] {1, 2, 3}), INFO, BLOCK - 3))
                .isTrue();
        assertThat(region.slice(BLOCK - 3, 3)).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        blocks.end();
        assertThat(blocks.isInUse()).isFalse();
        assertThat(blocks.isMapped(INFO)).isFalse();
        assertThat(isWritten(1, 0)).as("after its end").isFalse();
    }

    @Test
    void shouldLeaveWhatIsNotInsideABlockToTheTier() throws Exception {
        blocks.begin(directory.stampedOffer());
        awaitMapped();
        assertThat(isWritten(1, -1)).isFalse();
        assertThat(isWritten(2, BLOCK - 1)).isFalse();
        assertThat(isWritten(1, BLOCK + (1L << 32))).isFalse();
        assertThat(isWritten(1, BLOCK - 1)).isTrue();
    }

    /** Mappings go with the garbage collector only, and each costs page tables and a thread for a while. */
    @Test
    void shouldKeepMappingsOfADatanodeThatHasNotStartedAnew() throws Exception {
        blocks.begin(directory.stampedOffer());
        LocalRegions first = blocks.regions();
        blocks.end();
        blocks.begin(null);
        assertThat(blocks.regions()).as("without an offer").isNull();
        blocks.begin(directory.stampedOffer());
        assertThat(blocks.regions()).isSameAs(first);
        try (DataDirectory next = TestDirectories.claim(path, "some-any-2")) {
            blocks.begin(next.stampedOffer());
            assertThat(blocks.regions()).isNotNull().isNotSameAs(first);
        }
    }
}

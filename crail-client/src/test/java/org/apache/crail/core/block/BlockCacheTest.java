/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.crail.CrailNodeType;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.junit.jupiter.api.Test;

class BlockCacheTest {
    private static final long LEASE_NS = 1000;
    private static final long LAYOUT = 3;
    private static final DataNodeInfo DATANODE = new DataNodeInfo(0, 0, 0, "localhost", 1);

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 500);
    private final BlockCache cache = new BlockCache(clock::get, LEASE_NS, 64);

    private static BlockInfo block(long lba) {
        return new BlockInfo(DATANODE, lba, lba, 100, 1);
    }

    private void seed(long fd, BlockInfo firstBlock, long sentNs) {
        seed(fd, firstBlock == null ? 0 : 1, firstBlock, sentNs);
    }

    private void seed(long fd, long capacityBytes, BlockInfo firstBlock, long sentNs) {
        FileInfo node = new FileInfo(fd, CrailNodeType.DATAFILE, capacityBytes, 0, 0, false, 0, 0, 0, LAYOUT);
        cache.seed(node, firstBlock, sentNs);
    }

    private LeasedBlock leased(long index) {
        return new LeasedBlock(index, block(index), cache.expiryNs(clock.get()));
    }

    private LeasedBlock known(long fd, long index) {
        return cache.file(fd).get(index, clock.get());
    }

    @Test
    void shouldForgetALocationWhenItsLeaseEnds() {
        seed(1, block(0), clock.get());
        clock.addAndGet(LEASE_NS - 1);
        assertThat(known(1, 0)).isNotNull();
        clock.addAndGet(1);
        assertThat(known(1, 0)).isNull();
    }

    @Test
    void shouldCountTheLeaseFromTheSendingOfTheRequest() {
        long sentNs = clock.get();
        clock.addAndGet(LEASE_NS);
        seed(1, block(0), sentNs);
        assertThat(known(1, 0)).isNull();
    }

    @Test
    void shouldKeepTheLaterOfTwoConfirmations() {
        LeasedBlock early = leased(3);
        clock.addAndGet(10);
        LeasedBlock late = leased(3);
        cache.put(cache.file(1), late, LAYOUT);
        cache.put(cache.file(1), early, LAYOUT);
        assertThat(known(1, 3)).isSameAs(late);
    }

    @Test
    void shouldKeepManyBlocksOfAFile() {
        for (int i = 0; i < 64; i++) {
            cache.file(1).put(leased(i), LAYOUT);
        }
        for (int i = 0; i < 64; i++) {
            assertThat(known(1, i).index).isEqualTo(i);
        }
        assertThat(known(1, 64)).isNull();
    }

    @Test
    void shouldHoldABoundedNumberOfBlocksOfAFile() {
        FileBlocks blocks = new FileBlocks();
        for (int i = 0; i < 10_000; i++) {
            int grown = blocks.put(leased(i), LAYOUT);
            assertThat(grown).isGreaterThanOrEqualTo(0);
        }
        assertThat(blocks.weight()).isLessThanOrEqualTo(1 + FileBlocks.MAX_PLACES);
        assertThat(blocks.get(9_999, clock.get())).isNotNull();
    }

    @Test
    void shouldForgetAPurgedNodeForThoseWhoHoldItsBlocks() {
        seed(1, block(0), clock.get());
        FileBlocks held = cache.file(1);
        cache.purge(1);
        assertThat(held.get(0, clock.get())).isNull();
    }

    @Test
    void shouldForgetLocationsOfAnEarlierLayoutAlsoIfTheyAreHeardLater() {
        FileBlocks blocks = cache.file(1);
        LeasedBlock old = leased(0);
        cache.put(blocks, old, LAYOUT);
        cache.put(blocks, leased(7), LAYOUT);
        cache.heard(blocks, LAYOUT + 1);
        cache.put(blocks, old, LAYOUT);
        cache.put(blocks, leased(7), LAYOUT);
        assertThat(known(1, 0)).isNull();
        assertThat(known(1, 7)).isNull();
        LeasedBlock late = leased(7);
        cache.put(blocks, late, LAYOUT + 1);
        assertThat(known(1, 7)).isSameAs(late);
    }

    @Test
    void shouldForgetOtherLocationsWithTheFirstOneOfALaterLayout() {
        FileBlocks blocks = cache.file(1);
        cache.put(blocks, leased(0), LAYOUT);
        cache.put(blocks, leased(7), LAYOUT + 1);
        assertThat(known(1, 0)).isNull();
        assertThat(known(1, 7)).isNotNull();
    }

    @Test
    void shouldKeepLocationsInFrontOfTheEndOfATruncatedNode() {
        FileBlocks blocks = cache.file(1);
        for (int i = 0; i < 8; i++) {
            cache.put(blocks, leased(i), LAYOUT);
        }
        blocks.truncated(LAYOUT + 1, 3);
        assertThat(known(1, 0)).isNotNull();
        assertThat(known(1, 2)).isNotNull();
        assertThat(known(1, 3)).isNull();
        assertThat(known(1, 7)).isNull();
    }

    @Test
    void shouldKeepNoLocationIfANodeHasChangedInOtherWaysBeforeItWasTruncated() {
        FileBlocks blocks = cache.file(1);
        cache.put(blocks, leased(0), LAYOUT);
        blocks.truncated(LAYOUT + 2, 3);
        assertThat(known(1, 0)).isNull();
    }

    @Test
    void shouldNotKeepTheBlockOfAnEmptyNodeForWhoCannotWriteIt() {
        seed(1, 0, block(0), clock.get());
        assertThat(known(1, 0)).isNull();
    }

    @Test
    void shouldKeepTheFirstBlockOfANodeWithBytesWhoseDatanodeIsSilent() {
        seed(1, 100, block(0), clock.get());
        seed(1, 100, null, clock.get());
        assertThat(known(1, 0)).isNotNull();
    }

    @Test
    void shouldEvictExpiredNodesFirstAndStayBounded() {
        for (int fd = 0; fd < 50; fd++) {
            seed(fd, block(fd), clock.get());
        }
        clock.addAndGet(LEASE_NS);
        for (int fd = 50; fd < 70; fd++) {
            seed(fd, block(fd), clock.get());
        }
        for (int fd = 50; fd < 70; fd++) {
            assertThat(known(fd, 0)).as("node %s", fd).isNotNull();
        }
        for (int fd = 70; fd < 10_000; fd++) {
            seed(fd, block(fd), clock.get());
        }
        assertThat(cache.files()).isLessThanOrEqualTo(64);
    }

    @Test
    void shouldNotRemoveALocationThatIsNewerThanTheWrongOne() {
        LeasedBlock wrong = leased(2);
        LeasedBlock right = new LeasedBlock(2, block(9), wrong.expiryNs + 1);
        FileBlocks blocks = new FileBlocks();
        assertThat(blocks.put(wrong, LAYOUT)).isPositive();
        assertThat(blocks.put(right, LAYOUT)).isZero();
        blocks.remove(wrong);
        assertThat(blocks.get(2, clock.get())).isSameAs(right);
    }
}

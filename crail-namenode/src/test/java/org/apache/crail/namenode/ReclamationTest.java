/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.EXPIRATION_MS;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.ReportRequest;
import org.junit.jupiter.api.Test;

class ReclamationTest {
    @Test
    void shouldKeepBlocksOfRemovedNodesUntilTheDelayHasPassed() throws CrailException {
        Fixture namenode = Fixture.withBlocks(10);
        BlockInfo block = namenode.hiddenFile("/a").firstBlock();
        namenode.remove("/a", false);
        namenode.clock.advanceMs(EXPIRATION_MS - 1);
        namenode.service.reclaim();
        assertThat(namenode.check().pending()).isEqualTo(1);

        namenode.clock.advanceMs(1);
        namenode.service.reclaim();
        assertThat(namenode.check().pending()).isZero();
        assertThat(namenode.check().free()).isEqualTo(10);

        BlockInfo again = namenode.hiddenFile("/b").firstBlock();
        assertThat(again.getLba()).isEqualTo(block.getLba());
        assertThat(again.epoch()).isGreaterThan(block.epoch());
    }

    @Test
    void shouldReclaimOnDemandWhenNothingElseIsFree() throws CrailException {
        Fixture namenode = Fixture.withBlocks(1);
        namenode.hiddenFile("/a");
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.hiddenFile("/b"));
        namenode.remove("/a", false);
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.hiddenFile("/b"));
        namenode.clock.advanceMs(EXPIRATION_MS);
        assertThat(namenode.hiddenFile("/b").firstBlock()).isNotNull();
        namenode.check();
    }

    @Test
    void shouldSayThatBlocksAreAboutToBeFreeWhileARemovedTreeIsTakenApart() throws CrailException {
        Fixture namenode = Fixture.withBlocks(1_000);
        namenode.mkdir("/d");
        for (int i = 0; i < 500; i++) {
            namenode.hiddenFile("/d/" + i);
        }
        while (namenode.check().free() > 0) {
            namenode.hiddenFile("/rest" + namenode.check().free());
        }
        namenode.remove("/d", true);
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.hiddenFile("/b"));
        namenode.service.reclaim();
        namenode.clock.advanceMs(EXPIRATION_MS);
        assertThat(namenode.hiddenFile("/b").firstBlock()).isNotNull();
        namenode.check();
    }

    /** D36: blocks become free in the order in which they were released. */
    @Test
    void shouldReclaimInTheOrderOfRemoval() throws CrailException {
        Fixture namenode = Fixture.withBlocks(50);
        for (int i = 0; i < 50; i++) {
            namenode.hiddenFile("/" + i);
        }
        for (int i = 0; i < 50; i++) {
            namenode.remove("/" + i, false);
            namenode.clock.advanceMs(10);
        }
        namenode.clock.advanceMs(EXPIRATION_MS - 500);
        for (int freed = 1; freed <= 50; freed++) {
            namenode.service.reclaim();
            assertThat(namenode.check().free()).isEqualTo(freed);
            namenode.clock.advanceMs(10);
        }
    }

    @Test
    void shouldNeverGiveABlockToTwoNodes() throws CrailException {
        Fixture namenode = Fixture.withBlocks(20);
        Set<Long> inUse = new HashSet<>();
        for (int round = 0; round < 5; round++) {
            inUse.clear();
            for (int i = 0; i < 20; i++) {
                assertThat(inUse.add(namenode.hiddenFile("/" + i).firstBlock().getLba()))
                        .isTrue();
            }
            assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.hiddenFile("/more"));
            for (int i = 0; i < 20; i++) {
                namenode.remove("/" + i, false);
            }
            namenode.reclaimAll(Fixture.datanode("dn", 0, 0));
        }
        assertThat(namenode.check().free()).isEqualTo(20);
    }

    @Test
    void shouldTakeLargeSubtreesApartInSteps() throws CrailException {
        Fixture namenode = Fixture.withBlocks(12_000);
        FileInfo last = null;
        for (int d = 0; d < 4; d++) {
            namenode.mkdir("/" + d);
            namenode.mkdir("/" + d + "/e");
            for (int i = 0; i < 1200; i++) {
                namenode.file("/" + d + "/" + i);
                last = namenode.file("/" + d + "/e/" + i).file();
            }
        }
        long allocated = namenode.check().allocated();
        for (int d = 0; d < 4; d++) {
            namenode.remove("/" + d, true);
            namenode.check();
        }
        long removed = last.getFd();
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(removed, 0, 1));
        assertThat(namenode.check().nodes()).isEqualTo(1);
        assertThat(namenode.check().pending())
                .isEqualTo(allocated - namenode.check().allocated());

        namenode.service.reclaim();
        namenode.clock.advanceMs(EXPIRATION_MS);
        namenode.service.reclaim();
        assertThat(namenode.check().pending()).isZero();
        assertThat(namenode.check().free()).isEqualTo(12_000);
    }

    @Test
    void shouldGiveTheBlocksOfALargeFileBackInSteps() throws CrailException {
        int blocks = 4096;
        Fixture namenode = Fixture.withBlocks(blocks);
        FileInfo file = namenode.hiddenFile("/large").file();
        for (int i = 0; i < blocks; i += 128) {
            namenode.map(file.getFd(), file.getToken(), (long) i * Fixture.BLOCK, 128);
        }
        assertThat(namenode.check().free()).isZero();

        namenode.remove("/large", false);

        long atOnce = waitingBlocks(namenode);
        assertThat(atOnce).isBetween(1L, blocks / 4L);
        assertThat(namenode.check().pending()).isEqualTo(blocks);
        namenode.service.reclaim();
        assertThat(waitingBlocks(namenode)).isEqualTo(blocks);
        namenode.clock.advanceMs(EXPIRATION_MS);
        namenode.service.reclaim();
        assertThat(namenode.check().free()).isEqualTo(blocks);
    }

    private static FileInfo largeFile(Fixture namenode, int blocks) throws CrailException {
        FileInfo file = namenode.hiddenFile("/large").file();
        for (int i = 0; i < blocks; i += 128) {
            namenode.map(file.getFd(), file.getToken(), (long) i * Fixture.BLOCK, 128);
        }
        return file;
    }

    @Test
    void shouldGiveBackInStepsWhatACloseLeaves() throws CrailException {
        int blocks = 16_384;
        Fixture namenode = Fixture.withBlocks(blocks);
        FileInfo file = largeFile(namenode, blocks);
        assertThat(namenode.check().free()).isZero();

        namenode.close(file, 10);

        assertThat(waitingBlocks(namenode)).isLessThan(1024);
        assertThat(namenode.check().allocated()).isEqualTo(1);
        assertThat(namenode.check().pending()).isEqualTo(blocks - 1);
        namenode.service.reclaim();
        assertThat(waitingBlocks(namenode)).isEqualTo(blocks - 1);
        assertThat(namenode.info("/large").getCapacity()).isEqualTo(10);
        namenode.remove("/large", false);
        namenode.clock.advanceMs(EXPIRATION_MS);
        namenode.service.reclaim();
        assertThat(namenode.check().free()).isEqualTo(blocks);
    }

    @Test
    void shouldFenceFewBlocksOfAWriterThatIsOverdueAndGiveBackTheOthers() throws CrailException {
        int blocks = 8192;
        Fixture namenode = Fixture.withBlocks(blocks);
        FileInfo file = largeFile(namenode, blocks);
        namenode.sync(file, 5L * Fixture.BLOCK);
        BlockInfo tail = namenode.read(file.getFd(), 5 * Fixture.BLOCK, 1).get(0);
        namenode.clock.advanceMs(EXPIRATION_MS);
        namenode.heartbeat(Fixture.datanode("dn", 0, 0), 1);

        FileInfo next = namenode.service
                .lookup(new LookupRequest(CrailPath.parse("/large"), true))
                .file();

        assertThat(namenode.check().allocated()).isBetween(6L, 1024L);
        assertThat(namenode.read(file.getFd(), 5 * Fixture.BLOCK, 1).get(0).epoch())
                .isGreaterThan(tail.epoch());
        assertThat(waitingBlocks(namenode)).isLessThan(1024);
        assertThat(namenode.extend(next, 7)).hasSize(7);
        namenode.close(next, 7L * Fixture.BLOCK);
        assertThat(namenode.check().allocated()).isEqualTo(7);
    }

    private static long waitingBlocks(Fixture namenode) throws CrailException {
        return namenode.service.report(new ReportRequest(0)).datanodes().get(0).pendingBlocks();
    }

    @Test
    void shouldFindTheWayOutOfDeepTrees() throws CrailException {
        Fixture namenode = Fixture.withBlocks(20);
        namenode.mkdir("/0");
        for (int i = 1; i < 510; i++) {
            namenode.create("/n", CrailNodeType.DIRECTORY, -1, -1, false);
            namenode.move("/0", "/n");
            namenode.move("/n", "/0");
        }
        assertThat(namenode.check().nodes()).isEqualTo(511);
        namenode.remove("/0", true);
        namenode.service.reclaim();
        assertThat(namenode.check().nodes()).isEqualTo(1);
        namenode.check();
    }
}

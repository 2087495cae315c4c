/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.BLOCK;
import static org.apache.crail.namenode.Fixture.PART;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.rpc.message.CreateResponse;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.SyncRequest.End;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes that are removed because the store is nearly full. */
class EvictionTest {
    private static final DataNodeInfo DATANODE = Fixture.datanode("dn", 0, 0);
    private static final int BLOCKS = 32;
    private static final int RESERVE = BLOCKS / Eviction.RESERVE;

    private Fixture namenode;

    /** A store without shared blocks, of which /cache may be emptied. */
    private void start(String... evicted) throws CrailException {
        start(0, evicted);
    }

    private void start(int partBytes, String... evicted) throws CrailException {
        namenode = Fixture.evicting(BLOCKS, partBytes, evicted);
        namenode.mkdir("/cache");
        namenode.mkdir("/keep");
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    private void file(String path) throws CrailException {
        close(namenode.file(path));
    }

    private void close(CreateResponse created) throws CrailException {
        namenode.close(created.file(), 1);
    }

    /** Files of a block each, named by numbers. */
    private void files(String prefix, int from, int to) throws CrailException {
        for (int i = from; i < to; i++) {
            file(prefix + i);
        }
    }

    private boolean exists(String path) {
        try {
            return namenode.find(path) != null;
        } catch (CrailException e) {
            assertThat(e.code()).isIn(ErrorCode.NODE_NOT_FOUND, ErrorCode.PARENT_NOT_FOUND);
            return false;
        }
    }

    private long evicted() throws CrailException {
        return namenode.service.report(new ReportRequest(0)).evicted();
    }

    @Test
    void shouldRemoveWhatWasClosedLongestAgo() throws CrailException {
        start("/cache");
        FileInfo late = namenode.file("/cache/late").file();
        files("/cache/f", 0, BLOCKS - RESERVE - 1);
        namenode.close(late, 1);
        namenode.service.reclaim();
        assertThat(evicted()).isZero();
        file("/cache/new");
        namenode.service.reclaim();
        assertThat(exists("/cache/f0")).isFalse();
        assertThat(exists("/cache/f1")).isTrue();
        assertThat(exists("/cache/late")).isTrue();
        assertThat(evicted()).isEqualTo(1);
    }

    @Test
    void shouldCountAClosedNodeAsNewWithItsNextClose() throws CrailException {
        start("/cache");
        files("/cache/f", 0, BLOCKS - RESERVE);
        long token = namenode.open("/cache/f0");
        namenode.sync(namenode.info("/cache/f0").getFd(), token, 2, End.CLOSED);
        file("/cache/new");
        namenode.service.reclaim();
        assertThat(exists("/cache/f0")).isTrue();
        assertThat(exists("/cache/f1")).isFalse();
    }

    @Test
    void shouldRemoveNoMoreThanItMust() throws CrailException {
        start("/cache");
        files("/cache/f", 0, BLOCKS);
        namenode.service.reclaim();
        namenode.service.reclaim();
        namenode.pass(Fixture.EXPIRATION_MS / 2);
        assertThat(evicted()).isEqualTo(RESERVE);
        namenode.reclaimAll(DATANODE);
        namenode.service.reclaim();
        assertThat(evicted()).isEqualTo(RESERVE);
        assertThat(namenode.check().free()).isEqualTo(RESERVE);
    }

    @Test
    void shouldCountWhatIsDeletedAsRoom() throws CrailException {
        start("/cache");
        files("/keep/f", 0, RESERVE);
        files("/cache/f", 0, BLOCKS - RESERVE);
        namenode.remove("/keep", true);
        namenode.service.reclaim();
        assertThat(evicted()).isZero();
    }

    @Test
    void shouldKeepWhatIsInOtherDirectories() throws CrailException {
        start("/cache");
        namenode.mkdir("/cached");
        namenode.mkdir("/keep/cache");
        files("/keep/f", 0, 10);
        files("/cached/f", 0, 10);
        files("/keep/cache/f", 0, 10);
        file("/cache/f");
        file("/f");
        namenode.service.reclaim();
        assertThat(exists("/cache/f")).isFalse();
        assertThat(evicted()).isEqualTo(1);
    }

    @Test
    void shouldEvictFromEachListedDirectoryAndTable() throws CrailException {
        start("/cache", "/table");
        namenode.table("/table");
        namenode.mkdir("/cache/deep");
        file("/cache/deep/f");
        close(namenode.put("/table/k"));
        files("/keep/f", 0, BLOCKS - 2);
        namenode.service.reclaim();
        assertThat(exists("/cache/deep/f")).isFalse();
        assertThat(exists("/cache/deep")).isTrue();
        assertThat(exists("/table/k")).isFalse();
    }

    @Test
    void shouldRemoveNothingUnlessItIsSwitchedOn() throws CrailException {
        start();
        files("/cache/f", 0, BLOCKS);
        namenode.service.reclaim();
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.file("/cache/more"));
        assertThat(evicted()).isZero();
        assertThat(namenode.service.namespace().tree().closed().isEmpty()).isTrue();
    }

    @Test
    void shouldKeepWhatIsBeingWrittenUntilItIsClosed() throws CrailException {
        start("/cache");
        file("/cache/f");
        long token = namenode.open("/cache/f");
        files("/keep/f", 0, BLOCKS - 1);
        namenode.service.reclaim();
        assertThat(exists("/cache/f")).isTrue();
        namenode.sync(namenode.info("/cache/f").getFd(), token, 2, End.CLOSED);
        namenode.service.reclaim();
        assertThat(exists("/cache/f")).isFalse();
    }

    @Test
    void shouldRemoveWhatALostWriterHasLeft() throws CrailException {
        start("/cache");
        FileInfo file = namenode.file("/cache/f").file();
        namenode.sync(file, 1);
        files("/keep/f", 0, BLOCKS - 1);
        namenode.service.reclaim();
        assertThat(exists("/cache/f")).isTrue();
        for (int i = 0; i < 5; i++) {
            namenode.heartbeat(DATANODE, 1);
            namenode.pass(Fixture.EXPIRATION_MS / 2);
        }
        assertThat(exists("/cache/f")).isFalse();
    }

    @Test
    void shouldTellAStaleNodeToAReader() throws CrailException {
        start("/cache");
        file("/cache/f");
        long fd = namenode.info("/cache/f").getFd();
        files("/keep/f", 0, BLOCKS - 1);
        namenode.service.reclaim();
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(fd, 0, 1));
    }

    @Test
    void shouldForgetWhatIsDeletedOrReplaced() throws CrailException {
        start("/cache");
        file("/cache/f");
        file("/cache/g");
        namenode.mkdir("/cache/d");
        file("/cache/d/f");
        namenode.remove("/cache/f", false);
        namenode.remove("/cache/d", true);
        file("/keep/g");
        namenode.move("/keep/g", "/cache/g", MoveMode.REPLACE);
        namenode.move("/cache/g", "/keep/g", MoveMode.REPLACE);
        namenode.remove("/keep/g", false);
        assertThat(namenode.service.namespace().tree().closed().isEmpty()).isTrue();
    }

    @Test
    void shouldJudgeAMovedNodeByItsPlace() throws CrailException {
        start("/cache");
        file("/cache/out");
        file("/keep/in");
        file("/cache/f");
        namenode.move("/cache/out", "/keep/out", MoveMode.EXACT);
        namenode.move("/keep/in", "/cache/in", MoveMode.EXACT);
        files("/keep/f", 0, BLOCKS - RESERVE - 2);
        namenode.service.reclaim();
        assertThat(exists("/keep/out")).isTrue();
        assertThat(exists("/cache/f")).isFalse();
        assertThat(exists("/cache/in")).isTrue();
        file("/keep/more");
        namenode.service.reclaim();
        assertThat(exists("/cache/in")).isFalse();
    }

    @Test
    void shouldKeepWhatCameInsideOfADirectoryUntilItsNextClose() throws CrailException {
        start("/cache");
        namenode.mkdir("/keep/d");
        file("/keep/d/f");
        namenode.move("/keep/d", "/cache/d", MoveMode.EXACT);
        files("/keep/f", 0, BLOCKS - 1);
        namenode.service.reclaim();
        assertThat(exists("/cache/d/f")).isTrue();
        long token = namenode.open("/cache/d/f");
        namenode.sync(namenode.info("/cache/d/f").getFd(), token, 1, End.CLOSED);
        namenode.service.reclaim();
        assertThat(exists("/cache/d/f")).isFalse();
    }

    @Test
    void shouldRefuseForAWhileWhatFindsNoBlock() throws CrailException {
        start("/cache");
        file("/cache/f0");
        file("/cache/f1");
        files("/keep/f", 0, BLOCKS - 2);
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.file("/keep/more"));
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.file("/keep/more"));
        assertThat(exists("/cache/f0")).isFalse();
        assertThat(exists("/cache/f1")).isFalse();
        namenode.clock.advanceMs(Fixture.EXPIRATION_MS);
        file("/keep/more");
        file("/keep/yet");
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.file("/keep/last"));
    }

    /** Each removes a part of a shared block at a time if nobody looks ahead, and waits for it. */
    @Test
    void shouldMakeRoomForManyWritersAtOnceThoughSharedBlocksAreSparse() throws Exception {
        start(PART, "/cache");
        int small = BLOCKS / 2 * (BLOCK / PART);
        for (int i = 0; i < small; i++) {
            file((i % 4 == 0 ? "/keep/s" : "/keep/t") + i);
        }
        for (int i = 0; i < small; i++) {
            if (i % 4 != 0) {
                namenode.remove("/keep/t" + i, false);
            }
        }
        namenode.reclaimAll(DATANODE);
        for (int i = 0; namenode.check().free() > 0; i++) {
            FileInfo file = namenode.file("/cache/f" + i).file();
            assertThat(namenode.map(file.getFd(), file.getToken(), PART, 1)).hasSize(1);
            namenode.close(file, BLOCK);
        }
        namenode.reclaimAll(DATANODE);
        FileInfo[] written = new FileInfo[RESERVE];
        for (int i = 0; i < RESERVE; i++) {
            written[i] = namenode.file("/keep/w" + i).file();
            FileInfo file = written[i];
            assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.map(file.getFd(), file.getToken(), PART, 1));
        }
        namenode.clock.advanceMs(Fixture.EXPIRATION_MS);
        for (FileInfo file : written) {
            assertThat(namenode.map(file.getFd(), file.getToken(), PART, 1)).hasSize(1);
        }
        assertThat(evicted()).isEqualTo(RESERVE);
    }

    @Test
    void shouldRemoveNothingForBlocksThatAreAskedForAhead() throws Exception {
        start("/cache");
        files("/cache/f", 0, BLOCKS - 2);
        FileInfo written = namenode.file("/keep/written").file();
        assertThat(namenode.map(written.getFd(), written.getToken(), BLOCK, 4)).hasSize(1);
        assertThat(evicted()).isZero();
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.map(written.getFd(), written.getToken(), 2L * BLOCK, 1));
        assertThat(evicted()).isEqualTo(RESERVE);
    }

    /** It frees nothing that could be used, and may all be there when the datanode has been started again. */
    @Test
    void shouldKeepWhatLiesOnADatanodeThatIsStopped() throws Exception {
        start("/cache");
        files("/cache/f", 0, BLOCKS / 2);
        DataNodeInfo other = Fixture.datanode("other", 1, 0);
        namenode.register(other, 1, RESERVE);
        namenode.stop(DATANODE, 1);
        namenode.create("/keep/low", CrailNodeType.DIRECTORY, 1, 0, true);
        files("/keep/low/f", 0, RESERVE - 1);
        file("/cache/other");
        namenode.service.reclaim();
        assertThat(evicted()).isZero();
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.file("/keep/more"));
        assertThat(exists("/cache/other")).isFalse();
        assertThat(exists("/cache/f0")).isTrue();
        assertThat(evicted()).isEqualTo(1);
        namenode.clock.advanceMs(Fixture.EXPIRATION_MS);
        namenode.heartbeat(other, 1);
        file("/keep/more");
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.file("/keep/yet"));
        assertThat(evicted()).isEqualTo(1);
    }

    @Test
    void shouldLetAWriterGoOnWhoFindsNoBlock() throws CrailException {
        start("/cache");
        file("/cache/f");
        FileInfo written = namenode.file("/cache/written").file();
        files("/keep/f", 0, BLOCKS - 2);
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.map(written.getFd(), written.getToken(), BLOCK, 1));
        namenode.clock.advanceMs(Fixture.EXPIRATION_MS);
        assertThat(namenode.map(written.getFd(), written.getToken(), BLOCK, 1)).hasSize(1);
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.map(written.getFd(), written.getToken(), 2L * BLOCK, 1));
    }

    @Test
    void shouldCountPartsOfSharedBlocks() throws CrailException {
        start(PART, "/cache");
        int parts = BLOCKS * (BLOCK / PART);
        for (int i = 0; i < parts; i += 2) {
            file("/cache/f" + i);
            file("/keep/f" + i);
        }
        namenode.service.reclaim();
        namenode.service.reclaim();
        assertThat(evicted()).isEqualTo(parts / Eviction.RESERVE);
        namenode.reclaimAll(DATANODE);
        files("/keep/g", 0, parts / Eviction.RESERVE);
        assertThat(evicted()).isEqualTo(parts / Eviction.RESERVE);
    }

    @Test
    void shouldServeAPartThatIsWanted() throws CrailException {
        start(PART, "/cache");
        file("/cache/f0");
        file("/cache/f1");
        files("/keep/f", 0, BLOCKS * (BLOCK / PART) - 2);
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.file("/keep/more"));
        assertThat(evicted()).isEqualTo(2);
        namenode.clock.advanceMs(Fixture.EXPIRATION_MS);
        file("/keep/more");
    }

    @Test
    void shouldFreeAWholeBlockOfSmallNodes() throws CrailException {
        start(PART, "/cache");
        file("/keep/first");
        files("/cache/f", 0, 2 * (BLOCK / PART));
        files("/keep/f", 0, (BLOCKS - 2) * (BLOCK / PART) - 1);
        FileInfo growing = namenode.info("/keep/first");
        long token = namenode.open("/keep/first");
        for (int i = 0; i < 10; i++) { // parts wait, but a whole block is wanted
            assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.map(growing.getFd(), token, PART, 1));
        }
        assertThat(evicted()).isEqualTo(2 * (BLOCK / PART));
        namenode.clock.advanceMs(Fixture.EXPIRATION_MS);
        assertThat(namenode.map(growing.getFd(), token, PART, 1)).hasSize(1);
    }

    @Test
    void shouldKeepAllWhileNoDatanodeIsHeard() throws CrailException {
        start("/cache");
        files("/cache/f", 0, BLOCKS - 1);
        namenode.pass(2 * Fixture.DATANODE_TIMEOUT_MS);
        long before = evicted();
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.file("/keep/more"));
        namenode.service.reclaim();
        assertThat(evicted()).isEqualTo(before);
    }
}

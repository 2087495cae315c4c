/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.BLOCK;
import static org.apache.crail.namenode.Fixture.EXPIRATION_MS;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.SyncRequest.End;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** D17: write tokens are enforced. */
class NodeWritingTest {
    private Fixture namenode;
    private FileInfo file;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withBlocks(100);
        file = namenode.file("/a").file();
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    @Test
    void shouldRefuseASecondWriterWhileTheTokenLives() {
        namenode.clock.advanceMs(EXPIRATION_MS - 1);
        assertFails(ErrorCode.TOKEN_TAKEN, () -> namenode.open("/a"));
    }

    @Test
    void shouldRenewTheTokenWhenItsHolderSyncsOrMaps() throws CrailException {
        namenode.clock.advanceMs(EXPIRATION_MS - 1);
        namenode.sync(file, 0);
        namenode.clock.advanceMs(EXPIRATION_MS - 1);
        assertFails(ErrorCode.TOKEN_TAKEN, () -> namenode.open("/a"));
        namenode.heartbeat(Fixture.datanode("dn", 0, 0), 1);
        namenode.extend(file, 1);
        namenode.clock.advanceMs(EXPIRATION_MS - 1);
        assertFails(ErrorCode.TOKEN_TAKEN, () -> namenode.open("/a"));
    }

    @Test
    void shouldLetTheHolderGoOnWhenTheTokenExpiredAndNobodyTookOver() throws CrailException {
        namenode.clock.advanceMs(EXPIRATION_MS + 1);
        assertThat(namenode.sync(file, 5)).isEqualTo(5);
        assertFails(ErrorCode.TOKEN_TAKEN, () -> namenode.open("/a"));
    }

    @Test
    void shouldRefuseTheOldHolderAfterATakeOver() throws CrailException {
        namenode.sync(file, 5);
        namenode.clock.advanceMs(EXPIRATION_MS);
        long token = namenode.open("/a");

        assertThat(token).isNotZero().isNotEqualTo(file.getToken());
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.sync(file, 6));
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.close(file, 6));
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.close(file, 5));
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.extend(file, 2));
        assertThat(namenode.info("/a").getCapacity()).isEqualTo(5);
        assertThat(namenode.sync(file.getFd(), token, 7, End.CLOSED)).isEqualTo(7);
    }

    @Test
    void shouldFenceTheBlocksThatTheOldHolderMayStillWrite() throws CrailException {
        List<BlockInfo> before = namenode.extend(file, 3);
        namenode.sync(file, BLOCK + 1);
        namenode.clock.advanceMs(EXPIRATION_MS);
        namenode.open("/a");

        List<BlockInfo> after = namenode.read(file.getFd(), 0, 3);
        assertThat(after.get(0)).isEqualTo(before.get(0));
        for (int i = 1; i < 3; i++) {
            assertThat(after.get(i).getLba()).isEqualTo(before.get(i).getLba());
            assertThat(after.get(i).epoch()).isGreaterThan(before.get(i).epoch());
        }
    }

    @Test
    void shouldGiveTheTokenBackOnClose() throws CrailException {
        namenode.close(file, 10);
        long token = namenode.open("/a");
        assertThat(namenode.sync(file.getFd(), token, 20, End.NONE)).isEqualTo(20);
    }

    @Test
    void shouldRefuseTokensThatWereNeverGivenOut() {
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.sync(file.getFd(), 0, 1, End.NONE));
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.sync(file.getFd(), file.getToken() + 1, 1, End.NONE));
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.map(file.getFd(), file.getToken() + 1, 0, 1));
    }

    @Test
    void shouldNeverShrinkTheCapacity() throws CrailException {
        namenode.sync(file, 100);
        assertThat(namenode.sync(file, 50)).isEqualTo(100);
        assertThat(namenode.info("/a").getCapacity()).isEqualTo(100);
    }

    @Test
    void shouldRefuseACapacityBeyondTheBlocks() throws CrailException {
        assertThat(namenode.sync(file, BLOCK)).isEqualTo(BLOCK);
        assertFails(ErrorCode.POSITION_OUT_OF_RANGE, () -> namenode.sync(file, BLOCK + 1));
        assertFails(ErrorCode.POSITION_OUT_OF_RANGE, () -> namenode.sync(file, -1));
        assertFails(ErrorCode.POSITION_OUT_OF_RANGE, () -> namenode.sync(file, Long.MAX_VALUE));
        assertThat(namenode.info("/a").getCapacity()).isEqualTo(BLOCK);
    }

    @Test
    void shouldSetTheModificationTimeOnSync() throws CrailException {
        long created = namenode.info("/a").getModificationTime();
        namenode.clock.advanceMs(1234);
        assertThat(namenode.info("/a").getModificationTime()).isEqualTo(created);
        namenode.sync(file, 1);
        assertThat(namenode.info("/a").getModificationTime()).isEqualTo(created + 1234);
    }

    @Test
    void shouldKeepTheModificationTimeWhenATokenIsOnlyRenewed() throws CrailException {
        long modified = namenode.info("/a").getModificationTime();
        namenode.clock.advanceMs(1234);
        namenode.sync(file.getFd(), file.getToken(), 0, End.NONE);

        assertThat(namenode.info("/a").getModificationTime()).isEqualTo(modified);
    }

    @Test
    void shouldReturnTheBlocksBeyondTheCapacityOnClose() throws CrailException {
        namenode.extend(file, 5);
        namenode.close(file, BLOCK + 1);
        assertThat(namenode.check().pending()).isEqualTo(3);
        assertThat(namenode.read(file.getFd(), 0, 10)).hasSize(2);
    }

    @Test
    void shouldReturnAllBlocksOfAnEmptyFileOnClose() throws CrailException {
        namenode.extend(file, 2);
        namenode.close(file, 0);
        assertThat(namenode.check().pending()).isEqualTo(2);
    }

    @Test
    void shouldGiveOutABlockAgainAtOnceThatNobodyHasWritten() throws CrailException {
        BlockInfo block = namenode.find("/a").firstBlock();
        namenode.closeUntouched(file, 0);
        assertThat(namenode.check().pending()).isZero();
        assertThat(namenode.find("/a").firstBlock()).isNull();

        BlockInfo again = namenode.hiddenFile("/b").firstBlock();
        assertThat(again.getAddr()).isEqualTo(block.getAddr());
        assertThat(again.epoch()).isGreaterThan(block.epoch());
    }

    @Test
    void shouldKeepTheBlockOfAWriterThatHasTakenOver() throws CrailException {
        namenode.clock.advanceMs(EXPIRATION_MS);
        long token = namenode.open("/a");
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.closeUntouched(file, 0));

        assertThat(namenode.map(file.getFd(), token, 0, 1)).hasSize(1);
        assertThat(namenode.check().pending()).isZero();
    }

    @Test
    void shouldLetBlocksWaitIfMoreHaveBeenAskedFor() throws CrailException {
        namenode.extend(file, 2);
        namenode.closeUntouched(file, 0);
        assertThat(namenode.check().pending()).isEqualTo(2);
    }

    @Test
    void shouldKeepTheBlockOfAFileThatHasBytes() throws CrailException {
        namenode.sync(file, 1);
        namenode.closeUntouched(file, 1);
        assertThat(namenode.read(file.getFd(), 0, 1)).hasSize(1);
    }

    @Test
    void shouldGiveAnEmptyFileAnotherBlockWhenItIsOpenedToBeWritten() throws CrailException {
        BlockInfo former = namenode.find("/a").firstBlock();
        namenode.close(file, 0);
        assertThat(namenode.find("/a").firstBlock()).isNull();
        assertFails(ErrorCode.POSITION_OUT_OF_RANGE, () -> namenode.read(file.getFd(), 0, 1));

        LookupResponse opened = namenode.service.lookup(new LookupRequest(CrailPath.parse("/a"), true));
        long token = opened.file().getToken();
        assertThat(opened.firstBlock()).isNotNull().isNotEqualTo(former);
        assertThat(namenode.map(file.getFd(), token, 0, 1)).containsExactly(opened.firstBlock());
        assertThat(namenode.sync(file.getFd(), token, BLOCK, End.CLOSED)).isEqualTo(BLOCK);
        assertThat(namenode.read(file.getFd(), 0, 10)).containsExactly(opened.firstBlock());
    }

    @Test
    void shouldOpenAnEmptyFileOfAFullStore() throws CrailException {
        Fixture tight = Fixture.withBlocks(1);
        FileInfo empty = tight.hiddenFile("/empty").file();
        tight.close(empty, 0);
        tight.reclaimAll(Fixture.datanode("dn", 0, 0));
        FileInfo other = tight.hiddenFile("/other").file();

        long token = tight.open("/empty");
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> tight.map(empty.getFd(), token, 0, 1));
        tight.close(other, 0);
        tight.reclaimAll(Fixture.datanode("dn", 0, 0));
        assertThat(tight.map(empty.getFd(), token, 0, 1)).hasSize(1);
        assertThat(tight.sync(empty.getFd(), token, 1, End.CLOSED)).isEqualTo(1);
        tight.check();
    }

    @Test
    void shouldRefuseToWriteContainers() throws CrailException {
        long fd = namenode.mkdir("/d").file().getFd();
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.open("/d"));
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.sync(fd, 1, 0, End.NONE));
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.map(fd, 1, 0, 1));
    }

    @Test
    void shouldRefuseToWriteWhatWasRemoved() throws CrailException {
        namenode.remove("/a", false);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.sync(file, 1));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.extend(file, 1));
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.open("/a"));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.BLOCK;
import static org.apache.crail.namenode.Fixture.EXPIRATION_MS;
import static org.apache.crail.namenode.Fixture.PART;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.apache.crail.namenode.Fixture.datanode;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.SyncRequest.End;
import org.junit.jupiter.api.Test;

/** Values in parts of shared blocks, four to a block. */
class SmallValueTest {
    private static final int BLOCKS = 3;

    private final Fixture namenode = Fixture.withSharedBlocks(BLOCKS);

    SmallValueTest() throws CrailException {
        namenode.create("/t", CrailNodeType.TABLE, Fixture.PARENT, Fixture.PARENT, false);
    }

    private BlockInfo put(String name) throws CrailException {
        return namenode.hiddenPut("/t/" + name).firstBlock();
    }

    private void remove(String name) throws CrailException {
        namenode.remove("/t/" + name, false);
    }

    private void reclaim() throws CrailException {
        namenode.clock.advanceMs(EXPIRATION_MS);
        namenode.heartbeat(datanode("dn", 0, 0), 1);
        namenode.service.reclaim();
    }

    @Test
    void shouldGiveFourValuesOneBlockInOneEpoch() throws CrailException {
        List<BlockInfo> parts = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            parts.add(put("v" + i));
        }
        for (int i = 0; i < 4; i++) {
            BlockInfo part = parts.get(i);
            assertThat(part.getAddr()).isEqualTo(parts.get(0).getAddr());
            assertThat(part.epoch()).isEqualTo(parts.get(0).epoch());
            assertThat(part.start()).isEqualTo(i * PART);
            assertThat(part.getLength()).isEqualTo((i + 1) * PART);
        }
        assertThat(parts.get(4).getAddr()).isNotEqualTo(parts.get(0).getAddr());
        assertThat(namenode.check().allocated()).isEqualTo(2);
    }

    @Test
    void shouldLetFilesAndValuesShareABlock() throws CrailException {
        BlockInfo value = put("v");
        BlockInfo file = namenode.hiddenFile("/f").firstBlock();
        assertThat(file.getAddr()).isEqualTo(value.getAddr());
        assertThat(file.start()).isEqualTo(PART);
        assertThat(file.getLength()).isEqualTo(2 * PART);
        assertThat(namenode.check().allocated()).isEqualTo(1);
    }

    @Test
    void shouldUseUpNoPredictionForADirectory() throws CrailException {
        FileInfo first = namenode.hiddenFile("/f").file();
        namenode.map(first.getFd(), first.getToken(), PART, 1);
        namenode.sync(first.getFd(), first.getToken(), PART + 1, End.CLOSED);
        namenode.create("/d", CrailNodeType.DIRECTORY, Fixture.PARENT, Fixture.PARENT, false);
        assertThat(bytes(namenode.hiddenFile("/g").firstBlock())).isEqualTo(BLOCK);
    }

    @Test
    void shouldPredictTheLengthOfFilesByTheirDirectory() throws CrailException {
        FileInfo first = namenode.hiddenFile("/f").file();
        namenode.map(first.getFd(), first.getToken(), PART, 1);
        namenode.sync(first.getFd(), first.getToken(), PART + 1, End.CLOSED);

        assertThat(bytes(namenode.hiddenFile("/g").firstBlock())).isEqualTo(BLOCK);
        assertThat(bytes(namenode.hiddenFile("/h").firstBlock()))
                .as("one long file speaks for one")
                .isEqualTo(PART);
    }

    @Test
    void shouldFreeABlockWhenItsLastPartHasWaited() throws CrailException {
        put("a");
        put("b");
        remove("a");
        reclaim();
        assertThat(namenode.check().free()).isEqualTo(BLOCKS - 1);
        remove("b");
        assertThat(namenode.check().free()).isEqualTo(BLOCKS - 1);
        reclaim();
        assertThat(namenode.check().free()).isEqualTo(BLOCKS);
    }

    @Test
    void shouldGiveOutAPartAgainOnlyInANewEpochOfItsBlock() throws CrailException {
        BlockInfo first = put("a");
        put("b");
        remove("a");
        reclaim();
        BlockInfo third = put("c");
        BlockInfo fourth = put("d");
        assertThat(List.of(third.start(), fourth.start()))
                .as("parts never used")
                .containsExactly(2 * PART, 3 * PART);
        assertThat(fourth.epoch()).isEqualTo(first.epoch());

        BlockInfo again = put("e");
        assertThat(again.getAddr()).isEqualTo(first.getAddr());
        assertThat(again.start()).isEqualTo(first.start());
        assertThat(again.epoch()).isGreaterThan(first.epoch());
        assertThat(namenode.find("/t/b").firstBlock().epoch()).isEqualTo(again.epoch());
        namenode.check();
    }

    @Test
    void shouldUseAllPartsBeforeItSaysThatNothingIsFree() throws CrailException {
        for (int i = 0; i < 4 * BLOCKS; i++) {
            put("v" + i);
        }
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> put("more"));
        remove("v5");
        assertFails(ErrorCode.BLOCKS_PENDING, () -> put("more"));
        reclaim();
        assertThat(put("more").start()).isEqualTo(PART);
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> put("evenMore"));
        namenode.check();
    }

    @Test
    void shouldShowTheWholeBlockToItsWriterUntilMoreThanThePartIsSynced() throws CrailException {
        FileInfo value = namenode.hiddenPut("/t/v").file();
        BlockInfo part = namenode.find("/t/v").firstBlock();
        BlockInfo whole = namenode.map(value.getFd(), value.getToken(), PART, 1).get(0);
        assertThat(whole.start()).isZero();
        assertThat(whole.getLength()).isEqualTo(BLOCK);
        assertThat(namenode.map(value.getFd(), value.getToken(), PART, 1))
                .as("asked again")
                .containsExactly(whole);
        assertThat(namenode.read(value.getFd(), 0, 1)).containsExactly(part);
        namenode.sync(value, PART);
        assertThat(namenode.find("/t/v").firstBlock()).isEqualTo(part);
        assertThat(namenode.check().allocated()).isEqualTo(2);

        namenode.sync(value, PART + 1);
        assertThat(namenode.find("/t/v").firstBlock()).isEqualTo(whole);
        assertThat(namenode.read(value.getFd(), 0, 1)).containsExactly(whole);
        namenode.close(value, PART + 1);
        reclaim();
        assertThat(namenode.check().allocated()).isEqualTo(1);
    }

    private static int bytes(BlockInfo block) {
        return block.getLength() - block.start();
    }

    private void putLong(String name) throws CrailException {
        FileInfo value = namenode.hiddenPut("/t/" + name).file();
        namenode.map(value.getFd(), value.getToken(), PART, 1);
        namenode.close(value, PART + 1);
    }

    @Test
    void shouldBeginWithAWholeBlockWhereALongValueWasClosed() throws CrailException {
        putLong("a");
        assertThat(bytes(put("b"))).isEqualTo(BLOCK);
        assertThat(bytes(put("c"))).as("foreseen once for each long value").isEqualTo(PART);
        namenode.check();
    }

    @Test
    void shouldForeseeNoMoreLongValuesWhenOneWasShort() throws CrailException {
        putLong("a");
        putLong("b");
        remove("b");
        reclaim();
        FileInfo foreseen = namenode.hiddenPut("/t/c").file();
        assertThat(bytes(namenode.find("/t/c").firstBlock())).isEqualTo(BLOCK);
        namenode.close(foreseen, PART);
        assertThat(bytes(put("d"))).isEqualTo(PART);
    }

    @Test
    void shouldForeseeThatAValueIsAsLongAsTheOneItReplaces() throws CrailException {
        putLong("a");
        assertThat(bytes(put("a"))).isEqualTo(BLOCK);
        FileInfo shortOne = namenode.hiddenPut("/t/b").file(); // takes what the long one foretold
        namenode.close(shortOne, 1);
        assertThat(bytes(put("b"))).isEqualTo(PART);
        namenode.check();
    }

    /** A file that has outgrown its part. */
    private void takeABlock(String path) throws CrailException {
        FileInfo file = namenode.hiddenFile(path).file();
        namenode.map(file.getFd(), file.getToken(), PART, 1);
    }

    @Test
    void shouldGiveALongValueAPartIfNoWholeBlockIsFree() throws CrailException {
        put("small");
        putLong("a");
        takeABlock("/f");
        assertThat(namenode.check().free()).isZero();
        assertThat(bytes(put("b"))).isEqualTo(PART);
        namenode.check();
    }

    @Test
    void shouldKeepALongValueThatCannotBeReplaced() throws CrailException {
        put("small");
        putLong("a");
        BlockInfo before = namenode.find("/t/a").firstBlock();
        takeABlock("/f");
        FileInfo put = namenode.hiddenPut("/t/a").file();
        assertFails(ErrorCode.BLOCKS_PENDING, () -> namenode.map(put.getFd(), put.getToken(), PART, 1));
        assertThat(namenode.find("/t/a").firstBlock()).isEqualTo(before);
        namenode.check();
    }

    @Test
    void shouldNotBeMisledForLongByATableWithLongAndShortValues() throws CrailException {
        int wasted = 0;
        for (int i = 0; i < 20; i++) {
            FileInfo shortOne = namenode.hiddenPut("/t/short").file();
            wasted += bytes(namenode.find("/t/short").firstBlock()) == PART ? 0 : 1;
            namenode.close(shortOne, 1);
            putLong("long");
            remove("short");
            remove("long");
            reclaim();
        }
        assertThat(wasted).isLessThanOrEqualTo(1);
    }

    @Test
    void shouldCountTheLengthOfAValueOnce() throws CrailException {
        putLong("a");
        long fd = namenode.info("/t/a").getFd();
        for (int i = 0; i < 5; i++) {
            namenode.sync(fd, namenode.open("/t/a"), PART + 2 + i, End.CLOSED);
        }
        assertThat(bytes(put("b"))).isEqualTo(BLOCK);
        remove("b");
        reclaim();
        assertThat(bytes(put("c"))).isEqualTo(PART);
    }

    @Test
    void shouldStillForeseeALongValueAfterACreateThatFoundNoBlock() throws CrailException {
        for (int i = 0; i < 3; i++) {
            put("small" + i);
        }
        putLong("a"); // out of the last part, which waits
        for (int i = 0; i < BLOCK / PART; i++) {
            namenode.hiddenFile("/f" + i);
        }
        assertFails(ErrorCode.BLOCKS_PENDING, () -> put("b"));
        for (int i = 0; i < BLOCK / PART; i++) {
            namenode.remove("/f" + i, false);
        }
        reclaim();
        assertThat(bytes(put("b"))).isEqualTo(BLOCK);
    }

    @Test
    void shouldUsePartsThatAreDueBeforeItDisturbsTheNeighboursOfOthers() throws CrailException {
        Fixture eight = Fixture.withSharedBlocks(2, BLOCK / 8);
        eight.create("/t", CrailNodeType.TABLE, Fixture.PARENT, Fixture.PARENT, false);
        for (int i = 0; i < 16; i++) {
            eight.hiddenPut("/t/v" + i);
        }
        BlockInfo neighbour = eight.find("/t/v1").firstBlock();
        eight.remove("/t/v0", false);
        eight.reclaimAll(datanode("dn", 0, 0));
        for (int i = 8; i < 16; i++) {
            eight.remove("/t/v" + i, false);
        }
        eight.clock.advanceMs(EXPIRATION_MS);
        eight.heartbeat(datanode("dn", 0, 0), 1);

        eight.hiddenPut("/t/new");

        assertThat(eight.find("/t/v1").firstBlock()).isEqualTo(neighbour);
        eight.check();
    }

    @Test
    void shouldTakePartsOfTheWishedClassAndThenOfOthers() throws CrailException {
        namenode.register(datanode("slow", 1, 0), 1, 1);
        int own = 0;
        for (int i = 0; i < 16; i++) {
            FileInfo value = namenode.hiddenPut("/t/v" + i).file();
            own += namenode.find("/t/v" + i).firstBlock().getDnInfo().getStorageClass() == 0 ? 1 : 0;
            namenode.close(value, 1);
        }
        assertThat(own).isEqualTo(4 * BLOCKS);
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> put("full"));
        remove("v3");
        namenode.reclaimAll(datanode("dn", 0, 0), datanode("slow", 1, 0));
        assertThat(put("again").getDnInfo().getStorageClass()).isZero();
        namenode.check();
    }

    @Test
    void shouldHaveRoomForMoreUntouchedValuesThanThereAreParts() throws CrailException {
        for (int i = 0; i < 8 * BLOCKS; i++) {
            namenode.closeUntouched(namenode.hiddenPut("/t/v" + i).file(), 0);
        }
        assertThat(namenode.check().pending()).isZero();
    }

    @Test
    void shouldGiveAnEmptyValueAPartThatHasComeFreeSinceItWasOpened() throws CrailException {
        FileInfo empty = namenode.hiddenPut("/t/empty").file();
        namenode.close(empty, 0);
        reclaim();
        for (int i = 0; i < 4 * BLOCKS; i++) {
            put("v" + i);
        }
        long token = namenode.open("/t/empty");
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.map(empty.getFd(), token, 0, 1));

        remove("v0");
        reclaim();
        BlockInfo part = namenode.map(empty.getFd(), token, 0, 1).get(0);
        assertThat(part.getLength() - part.start()).isEqualTo(PART);
        assertThat(namenode.sync(empty.getFd(), token, PART, End.CLOSED)).isEqualTo(PART);
        namenode.check();
    }

    @Test
    void shouldRefuseToSyncMoreThanThePartWithoutAWholeBlock() throws CrailException {
        FileInfo value = namenode.hiddenPut("/t/v").file();
        assertFails(ErrorCode.POSITION_OUT_OF_RANGE, () -> namenode.sync(value, PART + 1));
        assertThat(namenode.sync(value, PART)).isEqualTo(PART);
    }

    @Test
    void shouldTakeTheWholeBlockBackFromAWriterThatDoesNotNeedIt() throws CrailException {
        FileInfo value = namenode.hiddenPut("/t/v").file();
        namenode.map(value.getFd(), value.getToken(), PART, 1);
        namenode.close(value, PART);
        reclaim();
        assertThat(namenode.check().free()).isEqualTo(BLOCKS - 1);
        assertThat(namenode.find("/t/v").firstBlock().getLength()).isEqualTo(PART);
    }

    @Test
    void shouldTakeTheWholeBlockBackWhenAnotherWriterTakesTheValueOver() throws CrailException {
        FileInfo value = namenode.hiddenPut("/t/v").file();
        BlockInfo former =
                namenode.map(value.getFd(), value.getToken(), PART, 1).get(0);
        namenode.clock.advanceMs(EXPIRATION_MS);
        namenode.heartbeat(datanode("dn", 0, 0), 1);
        long token = namenode.open("/t/v");
        assertThat(namenode.check().pending()).isEqualTo(1);
        BlockInfo own = namenode.map(value.getFd(), token, PART, 1).get(0);
        assertThat(own.getAddr()).isNotEqualTo(former.getAddr());
        namenode.sync(value.getFd(), token, BLOCK, End.CLOSED);
        reclaim();
        assertThat(namenode.check().allocated()).isEqualTo(1);
    }

    @Test
    void shouldTakeEverythingBackFromAValueThatIsRemovedWhileItGrows() throws CrailException {
        FileInfo value = namenode.hiddenPut("/t/v").file();
        namenode.map(value.getFd(), value.getToken(), PART, 2);
        remove("v");
        namenode.check();
        reclaim();
        assertThat(namenode.check().free()).isEqualTo(BLOCKS);
    }

    @Test
    void shouldLeaveAValueAsItWasIfThereIsNoBlockToGrowInto() throws CrailException {
        FileInfo value = namenode.hiddenPut("/t/v").file();
        for (int i = 1; i < BLOCKS; i++) {
            takeABlock("/f" + i);
        }
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.map(value.getFd(), value.getToken(), PART, 1));
        assertThat(namenode.sync(value, PART)).isEqualTo(PART);
        namenode.check();
    }

    @Test
    void shouldReportABlockAsUsedWhileOneOfItsPartsIs() throws CrailException {
        put("a");
        put("b");
        remove("a");
        reclaim();
        DatanodeReport report = namenode.reportOf(datanode("dn", 0, 0));
        assertThat(report.blocks()).isEqualTo(BLOCKS);
        assertThat(report.freeBlocks()).isEqualTo(BLOCKS - 1);
        assertThat(report.pendingBlocks()).isZero();
    }

    @Test
    void shouldForgetThePartsOfADatanodeThatCameBackWithoutItsData() throws CrailException {
        FileInfo growing = namenode.hiddenPut("/t/growing").file();
        namenode.map(growing.getFd(), growing.getToken(), PART, 1);
        put("removed");
        put("kept");
        remove("removed"); // its part waits
        namenode.stop(datanode("dn", 0, 0), 1);
        namenode.register(datanode("dn", 0, 0), 2, BLOCKS);
        namenode.sync(growing, PART + 1);
        assertThat(namenode.check().free()).isEqualTo(BLOCKS);
        assertThat(namenode.find("/t/kept").firstBlock()).isNull();

        put("new");
        remove("kept");
        remove("growing");
        namenode.clock.advanceMs(EXPIRATION_MS);
        namenode.heartbeat(datanode("dn", 0, 0), 2);
        namenode.service.reclaim();
        assertThat(namenode.check().free()).isEqualTo(BLOCKS - 1);
        remove("new");
        namenode.clock.advanceMs(EXPIRATION_MS);
        namenode.service.reclaim();
        assertThat(namenode.check().free()).isEqualTo(BLOCKS);
    }

    @Test
    void shouldFenceTheFormerWriterOfAValueThatIsTakenOver() throws CrailException {
        BlockInfo before = put("v");
        namenode.clock.advanceMs(EXPIRATION_MS);
        namenode.heartbeat(datanode("dn", 0, 0), 1);
        namenode.open("/t/v");
        BlockInfo after = namenode.find("/t/v").firstBlock();
        assertThat(after.start()).isEqualTo(before.start());
        assertThat(after.epoch()).isGreaterThan(before.epoch());
    }
}

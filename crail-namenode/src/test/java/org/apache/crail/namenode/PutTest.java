/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.message.SyncRequest.End;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A put is atomic: a node that replaces another takes its place when it is synced or closed, and not before. */
@Timeout(60)
class PutTest {
    private static final Ownership NOBODY = null;

    private final Fixture namenode;
    private FileInfo old;

    PutTest() throws CrailException {
        namenode = Fixture.withSharedBlocks(32);
    }

    @BeforeEach
    void putAValueOfFiveBytes() throws CrailException {
        namenode.table("/t");
        old = namenode.put("/t/k").file();
        namenode.close(old, 5);
    }

    @AfterEach
    void checkThatNothingIsLost() throws CrailException {
        namenode.reclaimAll();
        assertThat(namenode.check().pending()).isZero();
    }

    private void pass(long ms) throws CrailException {
        for (long leftMs = ms; leftMs > 0; leftMs -= 1000) {
            namenode.pass(Math.min(leftMs, 1000));
            namenode.heartbeat(Fixture.datanode("dn", 0, 0), 1);
        }
    }

    private long shown() throws CrailException {
        return namenode.info("/t/k").getFd();
    }

    private void end(FileInfo node, long capacity, End end) throws CrailException {
        namenode.service.sync(new SyncRequest(node.getFd(), node.getToken(), capacity, end));
    }

    @Test
    void shouldShowTheOldValueUntilTheNewOneIsClosed() throws CrailException {
        FileInfo put = namenode.put("/t/k").file();
        assertThat(shown()).isEqualTo(old.getFd());
        namenode.sync(put, 0);
        assertThat(shown()).isEqualTo(old.getFd());
        assertThat(namenode.children("/t", 10)).containsExactly("k");
        namenode.close(put, 7);
        assertThat(shown()).isEqualTo(put.getFd());
        assertThat(namenode.info("/t/k").getCapacity()).isEqualTo(7);
        assertThat(namenode.children("/t", 10)).containsExactly("k");
        assertThat(namenode.info("/t").children()).isEqualTo(1);
    }

    @Test
    void shouldShowTheNewValueFromTheFirstSyncThatShowsBytes() throws CrailException {
        FileInfo put = namenode.put("/t/k").file();
        namenode.sync(put, 3);
        assertThat(shown()).isEqualTo(put.getFd());
        namenode.close(put, 4);
        assertThat(namenode.info("/t/k").getCapacity()).isEqualTo(4);
    }

    @Test
    void shouldPutAnEmptyValueWithTheClose() throws CrailException {
        FileInfo put = namenode.put("/t/k").file();
        namenode.closeUntouched(put, 0);
        assertThat(shown()).isEqualTo(put.getFd());
        assertThat(namenode.info("/t/k").getCapacity()).isZero();
    }

    @Test
    void shouldOrderPutsByTheirClosesAndFailNone() throws CrailException {
        FileInfo first = namenode.put("/t/k").file();
        FileInfo second = namenode.put("/t/k").file();
        namenode.close(second, 2);
        assertThat(shown()).isEqualTo(second.getFd());
        namenode.close(first, 1);
        assertThat(shown()).isEqualTo(first.getFd());
    }

    @Test
    void shouldLetAPutEndWellThatIsReplacedWhileItIsInPlace() throws CrailException {
        FileInfo first = namenode.put("/t/n").file();
        FileInfo second = namenode.put("/t/n").file();
        namenode.sync(second, 2);
        namenode.map(first.getFd(), first.getToken(), Fixture.PART, 2);
        namenode.close(first, Fixture.BLOCK + 1);
        assertThat(namenode.info("/t/n").getFd()).isEqualTo(first.getFd());
        namenode.close(second, 3);
        assertThat(namenode.info("/t/n").getFd()).isEqualTo(second.getFd());
        assertThat(namenode.children("/t", 10)).containsExactlyInAnyOrder("k", "n");
    }

    @Test
    void shouldKeepTheOldValueIfThePutFails() throws CrailException {
        for (End end : new End[] {End.FAILED, End.DOUBTFUL}) {
            FileInfo put = namenode.put("/t/k").file();
            namenode.map(put.getFd(), put.getToken(), Fixture.PART, 4);
            end(put, 500, end);
            namenode.check();
            assertThat(shown()).isEqualTo(old.getFd());
            assertThat(namenode.info("/t/k").getCapacity()).isEqualTo(5);
            assertFails(ErrorCode.STALE_NODE, () -> namenode.sync(put, 0));
        }
    }

    @Test
    void shouldKeepTheOldValueIfThereIsNoRoomForTheNewOne() throws CrailException {
        FileInfo put = namenode.put("/t/k").file();
        namenode.extend(put, 1000);
        FileInfo other = namenode.put("/t/k").file();
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> namenode.map(other.getFd(), other.getToken(), Fixture.PART, 1));
        end(other, 0, End.FAILED);
        assertThat(shown()).isEqualTo(old.getFd());
        end(put, 0, End.FAILED);
        assertThat(shown()).isEqualTo(old.getFd());
    }

    @Test
    void shouldKeepTheOldValueIfTheWriterIsLost() throws CrailException {
        FileInfo put = namenode.put("/t/k").file();
        namenode.extend(put, 2);
        pass(2 * Fixture.EXPIRATION_MS - 1);
        namenode.sync(put, 0);
        pass(2 * Fixture.EXPIRATION_MS);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.sync(put, 0));
        assertThat(shown()).isEqualTo(old.getFd());
        assertThat(namenode.info("/t/k").getCapacity()).isEqualTo(5);
    }

    @Test
    void shouldLoseNoWriterWhileItStoodStillItself() throws CrailException {
        FileInfo put = namenode.put("/t/k").file();
        pass(1000);
        namenode.clock.advanceMs(5 * Fixture.EXPIRATION_MS);
        namenode.service.reclaim();
        namenode.close(put, 1);
        assertThat(shown()).isEqualTo(put.getFd());
    }

    @Test
    void shouldTakeTheBlocksOfALostWriterBackAndKeepWhatItSynced() throws CrailException {
        FileInfo file = namenode.file("/f").file();
        long before = namenode.check().allocated();
        namenode.extend(file, 5);
        namenode.sync(file, 10);
        pass(2 * Fixture.EXPIRATION_MS);
        assertThat(namenode.check().allocated()).isEqualTo(before);
        assertThat(namenode.info("/f").getCapacity()).isEqualTo(10);
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.sync(file, 20));
        assertThat(namenode.find("/f").firstBlock().epoch()).isGreaterThan(0);
    }

    @Test
    void shouldTakeTheBlockOfALostWriterBackThatHasSyncedNothing() throws CrailException {
        FileInfo file = namenode.file("/f").file();
        pass(2 * Fixture.EXPIRATION_MS);
        assertThat(namenode.find("/f").firstBlock()).isNull();
        assertFails(ErrorCode.TOKEN_MISMATCH, () -> namenode.extend(file, 1));
        assertThat(namenode.open("/f")).isNotZero();
        assertThat(namenode.find("/f").firstBlock()).isNotNull();
    }

    @Test
    void shouldShowNothingOfAFirstPutThatFails() throws CrailException {
        FileInfo put = namenode.put("/t/n").file();
        end(put, 500, End.FAILED);
        assertThat(namenode.info("/t/n").getCapacity()).isZero();
        FileInfo next = namenode.put("/t/n").file();
        namenode.sync(next, 100);
        end(next, 600, End.DOUBTFUL);
        assertThat(namenode.info("/t/n").getCapacity()).isEqualTo(100);
        namenode.close(namenode.put("/t/n").file(), 1);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.sync(next, 0));
    }

    @Test
    void shouldNotBeMovedByACopyOfAnOlderSync() throws CrailException {
        FileInfo first = namenode.put("/t/k").file();
        namenode.sync(first, 100);
        FileInfo second = namenode.put("/t/k").file();
        namenode.close(second, 2);
        namenode.sync(first, 100);
        assertThat(shown()).isEqualTo(second.getFd());
        end(first, 100, End.FAILED);
        assertThat(shown()).isEqualTo(second.getFd());
    }

    @Test
    void shouldListBothWhenAPutIsBackThatHasLostItsRank() throws CrailException {
        FileInfo early = namenode.put("/t/k").file();
        namenode.remove("/t/k", false);
        FileInfo late = namenode.put("/t/k").file();
        namenode.close(early, 1);
        namenode.move("/t/k", "/t/moved");
        namenode.close(late, 1);
        assertThat(namenode.children("/t", 1)).containsExactlyInAnyOrder("k", "moved");
    }

    @Test
    void shouldDiscardAPutThatCannotHaveItsPlace() throws CrailException {
        namenode.mkdir("/d");
        namenode.close(namenode.put("/d/keyname").file(), 1);
        FileInfo put = namenode.put("/d/keyname").file();
        namenode.remove("/d/keyname", false);
        String deep = "";
        for (int i = 0; i < 4; i++) {
            deep += "/" + "n".repeat(254);
            if (i < 3) {
                namenode.mkdir(deep);
            }
        }
        namenode.move("/d", deep, MoveMode.EXACT);
        assertFails(ErrorCode.INVALID_PATH, () -> namenode.close(put, 1));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.close(put, 1));
    }

    @Test
    void shouldTellNothingOfBlocksOfADatanodeThatIsGone() throws CrailException {
        FileInfo value = namenode.put("/t/long").file();
        namenode.map(value.getFd(), value.getToken(), Fixture.PART, 3);
        namenode.close(value, 3 * Fixture.BLOCK);
        namenode.register(Fixture.datanode("other", 0, 0), 1, 8);
        namenode.service.heartbeat(new HeartbeatRequest(Fixture.datanode("dn", 0, 0), 1, true));
        namenode.register(Fixture.datanode("dn", 0, 0), 2, 8);
        FileInfo put = namenode.put("/t/long").file();
        namenode.close(put, 1);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(value.getFd(), 0, 1));
    }

    @Test
    void shouldPutAKeyAnewThatIsDeletedMeanwhile() throws CrailException {
        FileInfo put = namenode.put("/t/k").file();
        namenode.remove("/t/k", false);
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.info("/t/k"));
        namenode.close(put, 1);
        assertThat(shown()).isEqualTo(put.getFd());
    }

    @Test
    void shouldPutAKeyAnewWhoseValueIsMovedAwayMeanwhile() throws CrailException {
        FileInfo put = namenode.put("/t/k").file();
        namenode.move("/t/k", "/t/moved");
        namenode.close(put, 1);
        assertThat(shown()).isEqualTo(put.getFd());
        assertThat(namenode.info("/t/moved").getFd()).isEqualTo(old.getFd());
    }

    @Test
    void shouldReplaceWhatWasMovedOntoTheKeyMeanwhile() throws CrailException {
        FileInfo moved = namenode.put("/t/m").file();
        namenode.close(moved, 9);
        FileInfo put = namenode.put("/t/k").file();
        namenode.move("/t/m", "/t/k", MoveMode.REPLACE);
        assertThat(shown()).isEqualTo(moved.getFd());
        namenode.close(put, 1);
        assertThat(shown()).isEqualTo(put.getFd());
        assertThat(namenode.info("/t").children()).isEqualTo(1);
    }

    @Test
    void shouldFollowATableThatMovesAndEndWithOneThatIsRemoved() throws CrailException {
        FileInfo put = namenode.put("/t/k").file();
        FileInfo other = namenode.put("/t/k").file();
        namenode.move("/t", "/u");
        namenode.close(put, 1);
        assertThat(namenode.info("/u/k").getFd()).isEqualTo(put.getFd());
        namenode.remove("/u", true);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.close(other, 1));
        pass(2 * Fixture.EXPIRATION_MS);
    }

    @Test
    void shouldChangeWhetherTheParentListsTheKeyWithTheValue() throws CrailException {
        FileInfo hidden = namenode.hiddenPut("/t/k").file();
        namenode.assertListed("/t", "k");
        namenode.close(hidden, 1);
        namenode.assertListed("/t");
        FileInfo listed = namenode.put("/t/k").file();
        namenode.assertListed("/t");
        namenode.close(listed, 1);
        namenode.assertListed("/t", "k");
        assertThat(namenode.info("/t/k").isEnumerable()).isTrue();
    }

    @Test
    void shouldListTheKeyOnceAtEachMoment() throws CrailException {
        FileInfo first = namenode.put("/t/k").file();
        namenode.assertListed("/t", "k");
        FileInfo second = namenode.put("/t/k").file();
        namenode.map(first.getFd(), first.getToken(), Fixture.PART, 2);
        namenode.assertListed("/t", "k");
        for (FileInfo shown : new FileInfo[] {first, second}) {
            namenode.sync(shown, 0);
            namenode.assertListed("/t", "k");
            namenode.sync(shown, 2);
            assertThat(shown()).isEqualTo(shown.getFd());
            namenode.assertListed("/t", "k");
        }
        namenode.close(first, Fixture.BLOCK + 1); // takes the place that the second one had taken
        assertThat(shown()).isEqualTo(first.getFd());
        namenode.assertListed("/t", "k");
        namenode.close(second, 3);
        assertThat(shown()).isEqualTo(second.getFd());
        namenode.assertListed("/t", "k");
        FileInfo failing = namenode.put("/t/k").file();
        end(failing, 1, End.FAILED);
        namenode.assertListed("/t", "k");
        namenode.put("/t/k");
        pass(2 * Fixture.EXPIRATION_MS);
        namenode.assertListed("/t", "k");
        namenode.remove("/t/k", false);
        namenode.assertListed("/t");
    }

    @Test
    void shouldListAPutThatHasItsPlaceAgainOnlyIfItIsEnumerableItself() throws CrailException {
        FileInfo hidden = namenode.hiddenPut("/t/k").file();
        namenode.sync(hidden, 1);
        namenode.assertListed("/t");
        FileInfo listed = namenode.put("/t/k").file();
        namenode.sync(listed, 1);
        namenode.assertListed("/t", "k");
        namenode.sync(hidden, 2);
        assertThat(shown()).isEqualTo(hidden.getFd());
        namenode.assertListed("/t");
        namenode.close(listed, 2);
        assertThat(shown()).isEqualTo(listed.getFd());
        namenode.assertListed("/t", "k");
        namenode.close(hidden, 3);
        namenode.assertListed("/t");
        assertThat(namenode.children("/t", 1)).containsExactly("k");
    }

    @Test
    void shouldNotListAPutWhoseKeyIsRemovedBeforeItIsClosed() throws CrailException {
        FileInfo put = namenode.put("/t/k").file();
        namenode.remove("/t/k", false);
        namenode.assertListed("/t");
        end(put, 0, End.FAILED);
        namenode.assertListed("/t");
        assertThat(namenode.children("/t", 1)).isEmpty();
    }

    @Test
    void shouldRefuseToReplaceADirectoryThatHasGotThePathMeanwhile() throws CrailException {
        FileInfo file = namenode.file("/f").file();
        namenode.close(file, 1);
        FileInfo put = namenode.replaceFile("/f", NOBODY).file();
        namenode.remove("/f", false);
        namenode.mkdir("/f");
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.close(put, 1));
        assertThat(namenode.info("/f").getType()).isEqualTo(CrailNodeType.DIRECTORY);
    }

    @Test
    void shouldEndAWriterWhoseFileIsReplaced() throws CrailException {
        FileInfo file = namenode.file("/f").file();
        FileInfo put = namenode.replaceFile("/f", NOBODY).file();
        namenode.close(put, 1);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.sync(file, 1));
    }

    @Test
    void shouldTellWhereTheBlocksOfAReplacedValueLieForHalfATokensLife() throws CrailException {
        FileInfo value = namenode.put("/t/long").file();
        namenode.map(value.getFd(), value.getToken(), Fixture.PART, 3);
        namenode.close(value, 3 * Fixture.BLOCK);
        var blocks = namenode.read(value.getFd(), 0, 3);
        FileInfo put = namenode.put("/t/long").file();
        namenode.close(put, 1);
        namenode.clock.advanceMs(Fixture.EXPIRATION_MS / 2 - 1);
        assertThat(namenode.read(value.getFd(), 0, 3)).isEqualTo(blocks);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.sync(value, 1));
        namenode.clock.advanceMs(1);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(value.getFd(), 0, 3));
    }

    @Test
    void shouldNeedNoBlockToTakeThePlace() throws CrailException {
        namenode.table("/u");
        namenode.close(namenode.hiddenPut("/u/k").file(), 5);
        FileInfo put = namenode.put("/u/k").file();
        int files = 0;
        while (namenode.check().free() > 0) {
            FileInfo file = namenode.hiddenFile("/f" + files++).file();
            namenode.close(file, 1);
        }

        end(put, 7, End.CLOSED);

        assertThat(namenode.info("/u/k").getFd()).isEqualTo(put.getFd());
        namenode.assertListed("/u", "k");
    }
}

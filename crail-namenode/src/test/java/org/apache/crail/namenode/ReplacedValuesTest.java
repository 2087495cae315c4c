/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.BLOCK;
import static org.apache.crail.namenode.Fixture.PART;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.apache.crail.namenode.Fixture.datanode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.rpc.message.LookupResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Puts that begin in a part, over a value that must not be lost when they find no room to grow. */
class ReplacedValuesTest {
    private static final int BLOCKS = 3;
    private static final int LENGTH = 100;

    private final Fixture namenode = Fixture.withSharedBlocks(BLOCKS);
    private LookupResponse before;

    ReplacedValuesTest() throws CrailException {
        hidden("/t");
    }

    @BeforeEach
    void putAValue() throws CrailException {
        namenode.close(namenode.hiddenPut("/t/v").file(), LENGTH);
        before = namenode.find("/t/v");
        assertThat(before.file().getCapacity()).isEqualTo(LENGTH);
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    private void hidden(String table) throws CrailException {
        namenode.create(table, CrailNodeType.TABLE, Fixture.PARENT, Fixture.PARENT, false);
    }

    private void takeAllWholeBlocks() throws CrailException {
        for (long i = namenode.check().free(); i > 0; i--) {
            namenode.hiddenFile("/f" + i);
        }
    }

    private void assertFindsNoRoom(FileInfo value) {
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> grow(value));
    }

    private List<BlockInfo> grow(FileInfo value) throws CrailException {
        return namenode.map(value.getFd(), value.getToken(), PART, 1);
    }

    private void assertIsAsBefore() throws CrailException {
        LookupResponse after = namenode.find("/t/v");
        assertThat(after.file().getFd()).isEqualTo(before.file().getFd());
        assertThat(after.file().getCapacity()).isEqualTo(LENGTH);
        assertThat(after.firstBlock()).isEqualTo(before.firstBlock());
        assertThat(namenode.read(before.file().getFd(), 0, 1)).containsExactly(before.firstBlock());
        namenode.check();
    }

    /** Removes everything and checks that no block stays behind. */
    private void assertLeavesNothing() throws CrailException {
        namenode.check();
        for (String name : namenode.children("/", 10)) {
            namenode.remove("/" + name, true);
        }
        namenode.service.reclaim();
        namenode.reclaimAll(datanode("dn", 0, 0));
        assertThat(namenode.check().free()).isEqualTo(BLOCKS);
    }

    @Test
    void shouldBringAValueBackWhoseReplacementFindsNoRoom() throws CrailException {
        takeAllWholeBlocks();
        FileInfo replacement = namenode.hiddenPut("/t/v").file();
        assertThat(namenode.info("/t/v").getFd()).isEqualTo(replacement.getFd());
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(before.file().getFd(), 0, 1));

        assertThatThrownBy(() -> grow(replacement)).hasMessageEndingWith("the value that it has replaced is back");

        assertIsAsBefore();
        assertFails(ErrorCode.STALE_NODE, () -> grow(replacement));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.close(replacement, 0));
        namenode.remove("/f1", false);
        namenode.reclaimAll(datanode("dn", 0, 0));
        FileInfo second = namenode.hiddenPut("/t/v").file();
        assertThat(grow(second)).hasSize(1);
        assertThat(namenode.close(second, BLOCK)).isEqualTo(BLOCK);
        assertLeavesNothing();
    }

    @Test
    void shouldBringItBackHoweverManyPutsFindNoRoom() throws CrailException {
        takeAllWholeBlocks();
        for (int i = 0; i < 3; i++) {
            assertFindsNoRoom(namenode.hiddenPut("/t/v").file());
            assertIsAsBefore();
            namenode.reclaimAll(datanode("dn", 0, 0));
        }
        assertLeavesNothing();
    }

    @Test
    void shouldBringItBackWhenAPutHasReplacedAnUnfinishedOne() throws CrailException {
        takeAllWholeBlocks();
        FileInfo first = namenode.hiddenPut("/t/v").file();
        FileInfo second = namenode.hiddenPut("/t/v").file();
        assertFails(ErrorCode.STALE_NODE, () -> grow(first));
        assertFindsNoRoom(second);
        assertIsAsBefore();
        assertLeavesNothing();
    }

    @Test
    void shouldBringItBackForAllPutsThatCountedOnTheSameBlock() throws CrailException {
        namenode.close(namenode.hiddenPut("/t/w").file(), LENGTH);
        for (long i = namenode.check().free(); i > 1; i--) {
            namenode.hiddenFile("/f" + i);
        }
        FileInfo winner = namenode.hiddenPut("/t/w").file();
        FileInfo loser = namenode.hiddenPut("/t/v").file();
        grow(winner);
        assertFindsNoRoom(loser);
        assertIsAsBefore();
        assertThat(namenode.close(winner, BLOCK)).isEqualTo(BLOCK);
        assertLeavesNothing();
    }

    @Test
    void shouldBringItBackAfterItsWriterHasRenewedTheToken() throws CrailException {
        takeAllWholeBlocks();
        FileInfo replacement = namenode.hiddenPut("/t/v").file();
        namenode.sync(replacement, 0);
        assertFindsNoRoom(replacement);
        assertIsAsBefore();
    }

    @Test
    void shouldListAValueThatIsBack() throws CrailException {
        hidden("/listed");
        FileInfo value = namenode.put("/listed/v").file();
        namenode.close(value, LENGTH);
        takeAllWholeBlocks();

        assertFindsNoRoom(namenode.put("/listed/v").file());

        FileInfo table = namenode.info("/listed");
        assertThat(namenode.slots(table.getFd())).containsExactly(Fixture.key(value, "v"));
        assertThat(table.children()).isEqualTo(1);
        assertThat(namenode.children("/listed", 1)).containsExactly("v");
        assertLeavesNothing();
    }

    @Test
    void shouldRefuseAPutThatCouldNotBringItBackListed() throws CrailException {
        Fixture roomy = Fixture.withSharedBlocks(4);
        roomy.table("/t");
        FileInfo value = roomy.put("/t/v").file();
        roomy.close(value, LENGTH);
        roomy.hiddenFile("/f");
        assertThat(roomy.check().free()).isZero();

        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> roomy.hiddenPut("/t/v"));

        assertThat(roomy.info("/t/v").getFd()).isEqualTo(value.getFd());
        assertThat(roomy.slots(roomy.info("/t").getFd())).containsExactly(Fixture.key(value, "v"));
        roomy.check();
    }

    @Test
    void shouldBringItBackWhenAPutFindsNoSecondBlockAndClosesEmpty() throws CrailException {
        for (long i = namenode.check().free(); i > 1; i--) {
            namenode.hiddenFile("/f" + i);
        }
        FileInfo replacement = namenode.hiddenPut("/t/v").file();
        assertThat(grow(replacement)).hasSize(1);
        assertFails(
                ErrorCode.NO_FREE_BLOCKS, () -> namenode.map(replacement.getFd(), replacement.getToken(), BLOCK, 1));

        assertThat(namenode.close(replacement, 0)).isZero();

        assertIsAsBefore();
        assertFails(ErrorCode.STALE_NODE, () -> namenode.close(replacement, 0));
        assertLeavesNothing();
    }

    @Test
    void shouldListAValueThatIsBackWhenAPutThatGrewClosesEmpty() throws CrailException {
        Fixture roomy = Fixture.withSharedBlocks(4);
        roomy.table("/t");
        FileInfo value = roomy.put("/t/v").file();
        roomy.close(value, LENGTH);
        FileInfo replacement = roomy.put("/t/v").file();
        assertThat(roomy.map(replacement.getFd(), replacement.getToken(), PART, 1))
                .hasSize(1);

        roomy.close(replacement, 0);

        FileInfo table = roomy.info("/t");
        assertThat(roomy.slots(table.getFd())).containsExactly(Fixture.key(value, "v"));
        assertThat(table.children()).isEqualTo(1);
        assertThat(roomy.info("/t/v").getCapacity()).isEqualTo(LENGTH);
        roomy.reclaimAll(datanode("dn", 0, 0));
        assertThat(roomy.check().free())
                .as("but the root's and table's records, and the value")
                .isEqualTo(1);
    }

    @Test
    void shouldNotBringItBackWhenAPutThatGrewClosesWithAByteInItsPart() throws CrailException {
        FileInfo replacement = namenode.hiddenPut("/t/v").file();
        grow(replacement);
        assertThat(namenode.close(replacement, 1)).isEqualTo(1);
        assertThat(namenode.info("/t/v").getFd()).isEqualTo(replacement.getFd());
        assertLeavesNothing();
    }

    @Test
    void shouldNotBringItBackBehindWhatIsVisible() throws CrailException {
        FileInfo replacement = namenode.hiddenPut("/t/v").file();
        namenode.sync(replacement, 1);
        takeAllWholeBlocks();
        assertFindsNoRoom(replacement);
        assertThat(namenode.info("/t/v").getFd()).isEqualTo(replacement.getFd());
        assertThat(namenode.close(replacement, PART)).isEqualTo(PART);
        assertLeavesNothing();
    }

    @Test
    void shouldNotBringItBackBehindAnEmptyValue() throws CrailException {
        namenode.close(namenode.hiddenPut("/t/v").file(), 0);
        takeAllWholeBlocks();
        FileInfo next = namenode.hiddenPut("/t/v").file();
        assertFindsNoRoom(next);
        assertThat(namenode.info("/t/v").getFd()).isEqualTo(next.getFd());
        assertThat(namenode.info("/t/v").getCapacity()).isZero();
        assertLeavesNothing();
    }

    @Test
    void shouldNotBringItBackBehindAValueThatMovedAway() throws CrailException {
        takeAllWholeBlocks();
        FileInfo replacement = namenode.hiddenPut("/t/v").file();
        namenode.move("/t/v", "/t/elsewhere");
        assertFindsNoRoom(replacement);
        assertThat(namenode.info("/t/elsewhere").getFd()).isEqualTo(replacement.getFd());
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.info("/t/v"));
        assertLeavesNothing();
    }

    @Test
    void shouldKeepNothingForAPutThatGrewAndEnded() throws CrailException {
        FileInfo replacement = namenode.hiddenPut("/t/v").file();
        grow(replacement);
        namenode.close(replacement, BLOCK);
        namenode.reclaimAll(datanode("dn", 0, 0));
        assertThat(namenode.check().free()).isEqualTo(BLOCKS - 1);
        assertLeavesNothing();
    }

    @Test
    void shouldKeepNothingForAnUnfinishedPutThatIsGone() throws CrailException {
        namenode.hiddenPut("/t/v");
        namenode.remove("/t/v", false);
        namenode.reclaimAll(datanode("dn", 0, 0));
        assertThat(namenode.check().free()).isEqualTo(BLOCKS);

        putAValue();
        namenode.hiddenPut("/t/v");
        namenode.hiddenPut("/t/w");
        namenode.move("/t/w", "/t/v", MoveMode.REPLACE);
        namenode.remove("/t/v", false);
        namenode.reclaimAll(datanode("dn", 0, 0));
        assertThat(namenode.check().free()).isEqualTo(BLOCKS);

        putAValue();
        namenode.hiddenPut("/t/v");
        namenode.remove("/t", true);
        namenode.reclaimAll(datanode("dn", 0, 0));
        namenode.reclaimAll(datanode("dn", 0, 0));
        assertThat(namenode.check().free()).isEqualTo(BLOCKS);
    }

    @Test
    void shouldForgetAKeptValueOfADatanodeThatCameBackWithoutItsData() throws CrailException {
        FileInfo replacement = namenode.hiddenPut("/t/v").file();
        namenode.register(datanode("dn", 0, 0), 2, BLOCKS);
        assertThat(namenode.check().free()).isEqualTo(BLOCKS);
        namenode.close(replacement, 1);
        assertThat(namenode.check().free()).isEqualTo(BLOCKS);
    }
}

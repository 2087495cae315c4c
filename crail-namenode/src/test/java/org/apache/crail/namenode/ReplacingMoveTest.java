/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.MoveResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Moves whose destination is meant exactly, with and without replacing what is there. */
class ReplacingMoveTest {
    private Fixture namenode;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withBlocks(100);
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    @Test
    void shouldReplaceAFileAndTellWhich() throws CrailException {
        FileInfo source = namenode.file("/a").file();
        namenode.mkdir("/d");
        FileInfo replaced = namenode.file("/d/b").file();
        namenode.move("/a", "/d/b", MoveMode.REPLACE);

        assertFails(ErrorCode.STALE_NODE, () -> namenode.sync(replaced, 0));
        assertThat(namenode.info("/d/b").getFd()).isEqualTo(source.getFd());
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.find("/a"));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.sync(replaced, 1));
        assertFails(ErrorCode.STALE_NODE, () -> namenode.read(replaced.getFd(), 0, 1));
        namenode.assertListed("/d", "b");
        namenode.assertListed("/", "d");
    }

    @Test
    void shouldReplaceWithinOneDirectory() throws CrailException {
        FileInfo source = namenode.file("/a").file();
        namenode.file("/b");
        namenode.move("/a", "/b", MoveMode.REPLACE);
        assertThat(namenode.info("/b").getFd()).isEqualTo(source.getFd());
        namenode.assertListed("/", "b");
    }

    @Test
    void shouldListWhatHasThePathOnlyIfItIsEnumerableItself() throws CrailException {
        FileInfo hidden = namenode.hiddenFile("/a").file();
        FileInfo listed = namenode.file("/b").file();
        namenode.file("/c");
        namenode.move("/a", "/b", MoveMode.REPLACE);
        assertThat(namenode.info("/b").getFd()).isEqualTo(hidden.getFd()).isNotEqualTo(listed.getFd());
        namenode.assertListed("/", "c");
        assertThat(namenode.children("/", 1)).containsExactlyInAnyOrder("b", "c");
        namenode.move("/c", "/b", MoveMode.REPLACE);
        namenode.assertListed("/", "b");
        assertThat(namenode.children("/", 1)).containsExactly("b");
    }

    @Test
    void shouldGiveTheBlocksOfTheReplacedFileBack() throws CrailException {
        FileInfo replaced = namenode.file("/b").file();
        namenode.extend(replaced, 4);
        namenode.file("/a");
        CheckResponse before = namenode.check();
        namenode.move("/a", "/b", MoveMode.REPLACE);
        assertThat(namenode.check().pending()).isEqualTo(before.pending() + 4);
        namenode.reclaimAll(Fixture.datanode("dn", 0, 0));
        assertThat(namenode.check().free()).isEqualTo(before.free() + 4);
    }

    @Test
    void shouldNeedNoBlockToReplace() throws CrailException {
        Fixture tight = Fixture.withBlocks(2);
        FileInfo source = tight.file("/a").file();
        tight.mkdir("/d");
        tight.file("/d/b");
        assertThat(tight.check().free()).isZero();
        tight.move("/a", "/d/b", MoveMode.REPLACE);
        assertThat(tight.info("/d/b").getFd()).isEqualTo(source.getFd());
        tight.assertListed("/d", "b");
        tight.check();
    }

    @Test
    void shouldReplaceContainersOnlyIfTheyAreEmpty() throws CrailException {
        FileInfo source = namenode.mkdir("/a").file();
        namenode.mkdir("/d");
        namenode.hiddenFile("/d/f");
        assertFails(ErrorCode.NOT_EMPTY, () -> namenode.move("/a", "/d", MoveMode.REPLACE));
        namenode.remove("/d/f", false);
        namenode.move("/a", "/d", MoveMode.REPLACE);
        assertThat(namenode.info("/d").getFd()).isEqualTo(source.getFd());
        namenode.assertListed("/", "d");
    }

    @Test
    void shouldRefuseToReplaceTheParentOfTheSource() throws CrailException {
        namenode.mkdir("/d");
        namenode.mkdir("/d/e");
        assertFails(ErrorCode.NOT_EMPTY, () -> namenode.move("/d/e", "/d", MoveMode.REPLACE));
        assertThat(namenode.info("/d/e").getType()).isEqualTo(CrailNodeType.DIRECTORY);
    }

    @Test
    void shouldReplaceNodesOfTheSameTypeOnly() throws CrailException {
        namenode.file("/a");
        namenode.mkdir("/d");
        namenode.table("/t");
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.move("/a", "/d", MoveMode.REPLACE));
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.move("/d", "/a", MoveMode.REPLACE));
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.move("/d", "/t", MoveMode.REPLACE));
        assertThat(namenode.check().nodes()).isEqualTo(4);
    }

    @Test
    void shouldMeanTheDestinationExactly() throws CrailException {
        namenode.file("/a");
        namenode.file("/b");
        namenode.mkdir("/d");
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.move("/a", "/d", MoveMode.EXACT));
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.move("/a", "/b", MoveMode.EXACT));
        MoveResponse moved = namenode.move("/a", "/d/c", MoveMode.EXACT);
        assertThat(moved.path()).hasToString("/d/c");
    }

    @Test
    void shouldRefuseTheRootAsExactDestination() throws CrailException {
        namenode.mkdir("/d");
        assertFails(ErrorCode.INVALID_MOVE, () -> namenode.move("/d", "/", MoveMode.EXACT));
        assertFails(ErrorCode.INVALID_MOVE, () -> namenode.move("/d", "/", MoveMode.REPLACE));
    }

    @Test
    void shouldRefuseToMoveANodeBelowItself() throws CrailException {
        namenode.mkdir("/d");
        namenode.mkdir("/d/e");
        assertFails(ErrorCode.INVALID_MOVE, () -> namenode.move("/d", "/d/e", MoveMode.REPLACE));
    }

    @Test
    void shouldDoNothingWhenANodeReplacesItself() throws CrailException {
        FileInfo file = namenode.file("/a").file();
        MoveResponse moved = namenode.move("/a", "/a", MoveMode.REPLACE);
        assertThat(moved.file().getFd()).isEqualTo(file.getFd());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.PARENT;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.MoveResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeMoveTest {
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
    void shouldKeepIdContentsAndClasses() throws CrailException {
        FileInfo file =
                namenode.create("/a", CrailNodeType.DATAFILE, 2, 5, true).file();
        namenode.sync(file, 9);
        namenode.create("/d", CrailNodeType.DIRECTORY, 1, 6, true);
        MoveResponse moved = namenode.move("/a", "/d/b");

        assertThat(moved.path()).hasToString("/d/b");
        assertThat(moved.file()).isEqualTo(namenode.info("/d/b"));
        FileInfo after = namenode.info("/d/b");
        assertThat(after.getFd()).isEqualTo(file.getFd());
        assertThat(after.getCapacity()).isEqualTo(9);
        assertThat(after.storageClass()).isEqualTo(2);
        assertThat(after.locationClass()).isEqualTo(5);
        assertThat(namenode.sync(file, 10)).isEqualTo(10);
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.find("/a"));
    }

    @Test
    void shouldRefuseAMoveThatPutsANodeBelowOutOfReach() throws CrailException {
        String long250 = "x".repeat(250);
        namenode.mkdir("/a");
        namenode.mkdir("/a/" + long250);
        namenode.mkdir("/a/" + long250 + "/" + long250);
        namenode.mkdir("/a/" + long250 + "/" + long250 + "/" + long250);
        String file = "/" + long250 + "/" + long250 + "/" + long250 + "/" + "f".repeat(20);
        namenode.file("/a" + file);

        String longer = "/" + "y".repeat(255);
        namenode.mkdir(longer);
        assertFails(ErrorCode.INVALID_PATH, () -> namenode.move("/a", longer));
        assertThat(namenode.find("/a" + file).file().getFd()).isNotZero();

        namenode.move("/a", "/bcd");
        assertThat(namenode.find("/bcd" + file).file().getFd()).isNotZero();
        namenode.remove("/bcd/" + long250, true);
        namenode.move("/bcd", longer);
        assertThat(namenode.find(longer + "/bcd").file().getFd()).isNotZero();
    }

    /** D3: a node moved to an existing directory goes into it under its own name. */
    @Test
    void shouldMoveIntoADirectoryUnderTheOwnName() throws CrailException {
        FileInfo file = namenode.file("/x").file();
        namenode.mkdir("/dd");
        MoveResponse moved = namenode.move("/x", "/dd");

        assertThat(moved.path()).hasToString("/dd/x");
        assertThat(namenode.info("/dd/x").getFd()).isEqualTo(file.getFd());
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.find("/dd/dd"));
        namenode.assertListed("/dd", "x");
        namenode.assertListed("/", "dd");
    }

    @Test
    void shouldMoveIntoTheRoot() throws CrailException {
        namenode.mkdir("/d");
        namenode.file("/d/x");
        assertThat(namenode.move("/d/x", "/").path()).hasToString("/x");
    }

    /** D4: a node never goes below itself. */
    @Test
    void shouldRefuseToMoveANodeBelowItself() throws CrailException {
        namenode.mkdir("/a");
        namenode.mkdir("/a/b");
        assertFails(ErrorCode.INVALID_MOVE, () -> namenode.move("/a", "/a/c"));
        assertFails(ErrorCode.INVALID_MOVE, () -> namenode.move("/a", "/a/b"));
        assertFails(ErrorCode.INVALID_MOVE, () -> namenode.move("/a", "/a/b/c"));
        assertFails(ErrorCode.INVALID_MOVE, () -> namenode.move("/a", "/a/no/c"));
        assertThat(namenode.info("/a/b").getType()).isEqualTo(CrailNodeType.DIRECTORY);
        assertThat(namenode.check().nodes()).isEqualTo(3);
    }

    @Test
    void shouldDoNothingWhenANodeMovesOntoItself() throws CrailException {
        FileInfo directory = namenode.mkdir("/d").file();
        FileInfo file = namenode.file("/d/f").file();
        assertThat(namenode.move("/d/f", "/d/f").file().getFd()).isEqualTo(file.getFd());
        assertThat(namenode.move("/d/f", "/d").path()).hasToString("/d/f");
        assertThat(namenode.move("/d", "/d").file().getFd()).isEqualTo(directory.getFd());
        assertThat(namenode.info("/d/f").getFd()).isEqualTo(file.getFd());
        namenode.assertListed("/d", "f");
        namenode.assertListed("/", "d");
    }

    @Test
    void shouldRefuseDestinationsThatAreTaken() throws CrailException {
        namenode.file("/a");
        namenode.file("/b");
        namenode.table("/t");
        namenode.put("/t/k");
        namenode.put("/t/l");
        namenode.mkdir("/d");
        namenode.file("/d/a");
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.move("/a", "/b"));
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.move("/a", "/t"));
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.move("/t/k", "/t/l"));
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.move("/a", "/d"));
        assertThat(namenode.info("/a").getType()).isEqualTo(CrailNodeType.DATAFILE);
    }

    @Test
    void shouldRefuseWhenAnEndIsMissing() throws CrailException {
        namenode.file("/a");
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.move("/no", "/b"));
        assertFails(ErrorCode.PARENT_NOT_FOUND, () -> namenode.move("/a", "/no/b"));
        assertFails(ErrorCode.PARENT_NOT_CONTAINER, () -> namenode.move("/a", "/a/b"));
        assertFails(ErrorCode.INVALID_MOVE, () -> namenode.move("/", "/b"));
    }

    @Test
    void shouldRefuseDestinationsWhosePathWouldBeTooLong() throws CrailException {
        StringBuilder target = new StringBuilder();
        for (int i = 0; i < 9; i++) {
            namenode.mkdir(target.append('/').append("t".repeat(99)).toString());
        }
        String name = "/" + "s".repeat(200);
        namenode.file(name);
        assertFails(ErrorCode.INVALID_PATH, () -> namenode.move(name, target.toString()));
        assertThat(namenode.info(name).getType()).isEqualTo(CrailNodeType.DATAFILE);
    }

    @Test
    void shouldKeepTheStackingRules() throws CrailException {
        namenode.table("/t");
        namenode.put("/t/k");
        namenode.file("/a");
        namenode.create("/m", CrailNodeType.MULTIFILE);
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.move("/t/k", "/m/k"));
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.move("/a", "/t/a"));
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.move("/t", "/m/t"));
        namenode.move("/t/k", "/k");
        assertThat(namenode.info("/k").getType()).isEqualTo(CrailNodeType.KEYVALUE);
        namenode.move("/a", "/m/a");
        assertThat(namenode.info("/m").children()).isEqualTo(1);
    }

    @Test
    void shouldListAMovedNodeOnceUnderItsLastName() throws CrailException {
        FileInfo file = namenode.file("/a").file();
        String former = "a";
        for (String name : new String[] {"b", "c", "a", "c"}) {
            FileInfo moved = namenode.move("/" + former, "/" + name).file();
            assertThat(moved.getFd()).isEqualTo(file.getFd());
            assertThat(moved.isEnumerable()).isTrue();
            namenode.assertListed("/", name);
            former = name;
        }
    }

    @Test
    void shouldCountAMovedNodeWhereItIs() throws CrailException {
        namenode.mkdir("/d");
        namenode.mkdir("/e");
        namenode.file("/d/a");
        namenode.file("/d/b");
        namenode.hiddenFile("/d/hidden");
        namenode.move("/d/a", "/e/a");
        namenode.assertListed("/d", "b");
        namenode.assertListed("/e", "a");
        namenode.move("/d/hidden", "/e/hidden");
        namenode.assertListed("/d", "b");
        namenode.assertListed("/e", "a");
        namenode.move("/d", "/e");
        namenode.assertListed("/e", "a", "d");
        namenode.assertListed("/e/d", "b");
        namenode.assertListed("/", "e");
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.move("/e/a", "/e/d/b"));
        namenode.assertListed("/e", "a", "d");
        namenode.assertListed("/e/d", "b");
    }

    @Test
    void shouldKeepHiddenNodesHidden() throws CrailException {
        namenode.mkdir("/d");
        namenode.create("/a", CrailNodeType.DATAFILE, PARENT, PARENT, false);
        MoveResponse moved = namenode.move("/a", "/d");
        assertThat(moved.file().isEnumerable()).isFalse();
        namenode.assertListed("/d");
        assertThat(namenode.children("/d", 1)).containsExactly("a");
    }

    @Test
    void shouldNeedNoBlockToMove() throws CrailException {
        Fixture tight = Fixture.withBlocks(1);
        FileInfo file = tight.file("/a").file();
        tight.mkdir("/d");
        assertThat(tight.check().free()).isZero();
        tight.move("/a", "/d/a");
        assertThat(tight.info("/d/a").getFd()).isEqualTo(file.getFd());
        tight.assertListed("/d", "a");
        tight.assertListed("/", "d");
        tight.check();
    }

    @Test
    void shouldMoveWholeSubtrees() throws CrailException {
        namenode.mkdir("/a");
        namenode.mkdir("/a/b");
        FileInfo file = namenode.file("/a/b/c").file();
        namenode.mkdir("/z");
        namenode.move("/a", "/z/y");
        assertThat(namenode.info("/z/y/b/c").getFd()).isEqualTo(file.getFd());
        assertThat(namenode.read(file.getFd(), 0, 1)).hasSize(1);
    }
}

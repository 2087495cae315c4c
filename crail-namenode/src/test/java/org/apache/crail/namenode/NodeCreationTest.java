/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.PARENT;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.CreateResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NodeCreationTest {
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
    void shouldAnswerWithTokenAndBlockWhenAFileIsCreated() throws CrailException {
        CreateResponse created = namenode.file("/a");

        assertThat(created.isPlaced()).isTrue();
        assertThat(created.file().getToken()).isNotZero();
        assertThat(created.file().getCapacity()).isZero();
        assertThat(created.file().isEnumerable()).isTrue();
        assertThat(created.firstBlock())
                .isNotNull()
                .isEqualTo(namenode.find("/a").firstBlock());
        assertThat(namenode.info("/a").getToken()).isZero();
        assertThat(namenode.hiddenFile("/b").file().isEnumerable()).isFalse();
    }

    /** D20: a container costs no block, whatever it holds. */
    @ParameterizedTest
    @CsvSource({"DIRECTORY, DATAFILE", "MULTIFILE, DATAFILE", "TABLE, KEYVALUE"})
    void shouldGiveContainersNoBlockHoweverManyChildrenTheyHold(CrailNodeType parent, CrailNodeType child)
            throws CrailException {
        int children = 3000;
        Fixture large = Fixture.withBlocks(children);
        CreateResponse container = large.create("/c", parent);
        assertThat(container.firstBlock()).isNull();
        assertThat(container.file().getToken()).isZero();
        for (int i = 0; i < children; i++) {
            large.create("/c/" + i, child, PARENT, PARENT, i % 3 > 0);
        }

        assertThat(large.check().free()).isZero();
        assertThat(large.check().allocated()).isEqualTo(children);
        assertThat(large.find("/c").firstBlock()).isNull();
        assertFails(
                ErrorCode.POSITION_OUT_OF_RANGE,
                () -> large.read(container.file().getFd(), 0, 1));
        assertThat(large.info("/c").getCapacity()).isZero();
        assertThat(large.info("/c").children()).isEqualTo(children / 3 * 2);
        assertThat(large.children("/c", 1000)).hasSize(children);
    }

    @Test
    void shouldCreateContainersWhereNoBlockIsFree() throws CrailException {
        Fixture empty = new Fixture();
        empty.mkdir("/d");
        for (int i = 0; i < 1000; i++) {
            empty.mkdir("/d/" + i);
        }
        assertThat(empty.info("/d").children()).isEqualTo(1000);
        assertThat(empty.check().nodes()).isEqualTo(1002);
        assertThat(empty.check().registered()).isZero();
    }

    @Test
    void shouldCountTheChildrenThatAreListed() throws CrailException {
        namenode.mkdir("/d");
        namenode.assertListed("/d");
        namenode.file("/d/a");
        namenode.mkdir("/d/b");
        namenode.put("/d/c");
        namenode.assertListed("/d", "a", "b", "c");
        namenode.hiddenFile("/d/hidden");
        namenode.hiddenPut("/d/hiddenValue");
        namenode.file("/d/b/below");
        namenode.assertListed("/d", "a", "b", "c");
        assertThat(namenode.children("/d", 10)).containsExactlyInAnyOrder("a", "b", "c", "hidden", "hiddenValue");
        assertThat(namenode.info("/d/a").children()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "DIRECTORY, DATAFILE, true",
        "DIRECTORY, DIRECTORY, true",
        "DIRECTORY, MULTIFILE, true",
        "DIRECTORY, TABLE, true",
        "DIRECTORY, KEYVALUE, true",
        "MULTIFILE, DATAFILE, true",
        "MULTIFILE, DIRECTORY, true",
        "MULTIFILE, KEYVALUE, false",
        "MULTIFILE, TABLE, false",
        "TABLE, KEYVALUE, true",
        "TABLE, DATAFILE, false",
        "TABLE, TABLE, false"
    })
    void shouldStackTypesByTheRules(CrailNodeType parent, CrailNodeType child, boolean allowed) throws CrailException {
        namenode.create("/p", parent);
        if (allowed) {
            namenode.create("/p/c", child);
            assertThat(namenode.info("/p/c").getType()).isEqualTo(child);
        } else {
            assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.create("/p/c", child));
            assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.find("/p/c"));
        }
    }

    @Test
    void shouldRejectStreamFiles() {
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.create("/s", CrailNodeType.STREAMFILE));
    }

    @Test
    void shouldRejectCreateWhenParentIsMissing() {
        assertFails(ErrorCode.PARENT_NOT_FOUND, () -> namenode.file("/no/a"));
    }

    @Test
    void shouldRejectCreateWhenParentIsAFile() throws CrailException {
        namenode.file("/a");
        assertFails(ErrorCode.PARENT_NOT_CONTAINER, () -> namenode.file("/a/b"));
        assertFails(ErrorCode.PARENT_NOT_CONTAINER, () -> namenode.file("/a/b/c"));
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.find("/a/b"));
    }

    @ParameterizedTest
    @EnumSource(
            value = CrailNodeType.class,
            names = {"DATAFILE", "DIRECTORY", "MULTIFILE", "TABLE"})
    void shouldRejectCreateWhenPathIsTaken(CrailNodeType type) throws CrailException {
        FileInfo first = namenode.create("/a", type).file();
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.create("/a", type));
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.file("/a"));
        assertThat(namenode.info("/a").getFd()).isEqualTo(first.getFd());
    }

    @Test
    void shouldRejectCreationOfTheRoot() {
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.mkdir("/"));
    }

    @Test
    void shouldTakeAStorageClassThatDoesNotExistForNoWish() throws CrailException {
        namenode.create("/a", CrailNodeType.DATAFILE, Fixture.CLASSES, PARENT, true);
        assertThat(namenode.info("/a").storageClass()).isZero();
    }

    @Test
    void shouldReplaceAKeyValueInADirectoryByAKeyValueOnly() throws CrailException {
        namenode.put("/k");
        namenode.file("/f");
        long first = namenode.info("/k").getFd();
        namenode.close(namenode.put("/k").file(), 1);
        assertThat(namenode.info("/k").getFd()).isNotEqualTo(first);
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.put("/f"));
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.file("/k"));
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.replaceFile("/k", null));
    }

    /** D1: a create that finds no free block leaves no node behind, and the path stays free. */
    @Test
    void shouldLeaveNoTraceWhenThereIsNoBlockForTheFile() throws CrailException {
        Fixture empty = new Fixture();
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> empty.file("/a"));
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> empty.find("/a"));

        assertThat(empty.check().nodes()).isEqualTo(1);
        empty.assertListed("/");
        assertThat(empty.children("/", 1)).isEmpty();

        empty.register(Fixture.datanode("dn", 0, 0), 1, 1);
        assertThat(empty.file("/a").firstBlock()).isNotNull();
        assertThat(empty.check().free()).isZero();
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> empty.file("/b"));
        assertThat(empty.check().nodes()).isEqualTo(2);
        empty.assertListed("/", "a");
    }

    /** D1: a put that finds no free block leaves the former value in place. */
    @Test
    void shouldKeepTheFormerValueWhenThereIsNoBlockForTheNewOne() throws CrailException {
        Fixture tight = Fixture.withBlocks(1);
        tight.table("/t");
        FileInfo former = tight.put("/t/k").file();
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> tight.put("/t/k"));
        assertThat(tight.info("/t/k").getFd()).isEqualTo(former.getFd());
        assertThat(tight.check().nodes()).isEqualTo(3);
        tight.assertListed("/t", "k");
        assertThat(tight.close(former, 10)).isEqualTo(10);
    }

    /** D7: names with equal hashes are different nodes. */
    @Test
    void shouldTellNamesWithEqualStringHashesApart() throws CrailException {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        FileInfo first = namenode.file("/Aa").file();
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.find("/BB"));
        FileInfo second = namenode.file("/BB").file();

        assertThat(namenode.info("/Aa").getFd()).isEqualTo(first.getFd());
        assertThat(namenode.info("/BB").getFd()).isEqualTo(second.getFd());
    }

    /** D37: names are UTF-8, whatever the platform's charset is. */
    @Test
    void shouldKeepNamesInAnyScript() throws CrailException {
        for (String name : new String[] {"größe", "данные", "データ", "\uD83D\uDC1F"}) {
            FileInfo created = namenode.file("/" + name).file();
            assertThat(namenode.info("/" + name).getFd()).isEqualTo(created.getFd());
        }
        assertThat(namenode.children("/", 10)).containsExactlyInAnyOrder("größe", "данные", "データ", "\uD83D\uDC1F");
    }

    /** D15: a negative location class inherits, and an explicit one counts, for containers too. */
    @Test
    void shouldInheritStorageAndLocationClasses() throws CrailException {
        namenode.create("/d", CrailNodeType.DIRECTORY, 2, 77, true);
        namenode.mkdir("/d/e");
        FileInfo inherited = namenode.file("/d/e/f").file();
        assertThat(inherited.storageClass()).isEqualTo(2);
        assertThat(inherited.locationClass()).isEqualTo(77);

        FileInfo own =
                namenode.create("/d/e/g", CrailNodeType.DATAFILE, 1, 0, true).file();
        assertThat(own.storageClass()).isEqualTo(1);
        assertThat(own.locationClass()).isZero();
        assertThat(namenode.file("/x").file().storageClass()).isZero();
    }

    @Test
    void shouldNeverUseAnIdTwice() throws CrailException {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            long fd = namenode.file("/a").file().getFd();
            assertThat(fd).isGreaterThan(last);
            last = fd;
            namenode.remove("/a", false);
        }
    }
}

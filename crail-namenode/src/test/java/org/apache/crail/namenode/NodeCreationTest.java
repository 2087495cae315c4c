/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.PARENT;
import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.CheckResponse;
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
    void shouldAnswerWithTokenBlockAndRecordPlaceWhenAFileIsCreated() throws CrailException {
        CreateResponse created = namenode.file("/a");

        assertThat(created.file().getToken()).isNotZero();
        assertThat(created.file().getCapacity()).isZero();
        assertThat(created.file().slot()).isZero();
        assertThat(created.firstBlock())
                .isNotNull()
                .isNotEqualTo(created.record().block());
        assertThat(created.record().block()).isEqualTo(namenode.find("/").firstBlock());
        assertThat(created.record().parentFd()).isEqualTo(namenode.info("/").getFd());
        assertThat(namenode.info("/a").getToken()).isZero();
    }

    /** D20: an empty container costs no block; it takes one when a record is to be written to it. */
    @Test
    void shouldGiveContainersABlockOnlyWhenAChildNeedsARecord() throws CrailException {
        CreateResponse directory = namenode.mkdir("/d");
        assertThat(directory.firstBlock()).isNull();
        assertThat(directory.file().getToken()).isZero();

        CreateResponse hidden = namenode.hiddenFile("/d/hidden");
        assertThat(hidden.record()).isNull();
        assertThat(hidden.file().slot()).isEqualTo(FileInfo.NO_SLOT);
        assertThat(namenode.find("/d").firstBlock()).isNull();

        assertThat(namenode.file("/d/shown").record().block())
                .isNotNull()
                .isEqualTo(namenode.find("/d").firstBlock());
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

        empty.register(Fixture.datanode("dn", 0, 0), 1, 2);
        assertThat(empty.file("/a").firstBlock()).isNotNull();
        assertThat(empty.check().free()).isZero();
    }

    /** D1: when the file's block is there but not the parent's, the first is given back. */
    @Test
    void shouldGiveTheFileBlockBackWhenThereIsNoneForTheRecord() throws CrailException {
        Fixture tight = Fixture.withBlocks(1);
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> tight.file("/a"));

        CheckResponse check = tight.check();
        assertThat(check.free()).isEqualTo(1);
        assertThat(check.nodes()).isEqualTo(1);
        assertThat(tight.slots(tight.info("/").getFd())).isEmpty();
        assertThat(tight.hiddenFile("/a").firstBlock()).isNotNull();
    }

    /** D1: a put that finds no free block leaves the former value in place. */
    @Test
    void shouldKeepTheFormerValueWhenThereIsNoBlockForTheNewOne() throws CrailException {
        Fixture tight = Fixture.withBlocks(3);
        tight.table("/t");
        FileInfo former = tight.put("/t/k").file();
        assertFails(ErrorCode.NO_FREE_BLOCKS, () -> tight.put("/t/k"));
        assertThat(tight.info("/t/k").getFd()).isEqualTo(former.getFd());
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

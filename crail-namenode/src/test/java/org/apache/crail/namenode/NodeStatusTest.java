/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Owners, permissions, times, and files that take the place of others. */
class NodeStatusTest {
    private static final Ownership ANNA = new Ownership("anna", "größe", 0640);

    private Fixture namenode;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withBlocks(100);
    }

    @AfterEach
    void checkBooks() throws CrailException {
        namenode.check();
    }

    @Test
    void shouldTellOwnerAndTimesOfWhatWasCreatedWithThem() throws CrailException {
        FileInfo file = namenode.replaceFile("/a", ANNA).file();
        NodeStatus status = namenode.status("/a");
        assertThat(status.name()).isEqualTo("a");
        assertThat(status.file().getFd()).isEqualTo(file.getFd());
        assertThat(status.file().getToken()).isZero();
        assertThat(status.ownership()).isEqualTo(ANNA);
        assertThat(status.accessTimeMs()).isEqualTo(file.getModificationTime());
    }

    @Test
    void shouldInheritTheOwnerWhereNoneIsNamed() throws CrailException {
        namenode.mkdir("/d");
        namenode.change("/d", StatusChange.ofOwner("anna", null));
        namenode.file("/d/f");
        namenode.mkdir("/d/e");
        namenode.replaceFile("/d/g", new Ownership("", "", 0600));
        assertThat(namenode.status("/").ownership()).isEqualTo(Fixture.ROOT);
        assertThat(namenode.status("/").name()).isEmpty();
        assertThat(namenode.status("/d/f").ownership()).isEqualTo(new Ownership("anna", "staff", 0644));
        assertThat(namenode.status("/d/g").ownership()).isEqualTo(new Ownership("anna", "staff", 0600));
        assertThat(namenode.status("/d/e").ownership()).isEqualTo(new Ownership("anna", "staff", 0755));
    }

    @Test
    void shouldChangeOnlyWhatIsNamed() throws CrailException {
        namenode.replaceFile("/a", ANNA);
        namenode.change("/a", StatusChange.ofPermission(01777));
        namenode.change("/a", StatusChange.ofOwner(null, "staff"));
        namenode.change("/a", StatusChange.ofTimes(5, StatusChange.KEEP_TIME));
        NodeStatus changed = namenode.change("/a", StatusChange.ofTimes(StatusChange.KEEP_TIME, 7));
        assertThat(changed.ownership()).isEqualTo(new Ownership("anna", "staff", 01777));
        assertThat(changed.file().getModificationTime()).isEqualTo(5);
        assertThat(changed.accessTimeMs()).isEqualTo(7);
        assertThat(namenode.status("/a")).isEqualTo(changed);
    }

    @Test
    void shouldKeepTimesBefore1970() throws CrailException {
        namenode.file("/a");
        namenode.change("/a", StatusChange.ofTimes(-141_091_200_000L, -1));
        assertThat(namenode.status("/a").file().getModificationTime()).isEqualTo(-141_091_200_000L);
        assertThat(namenode.status("/a").accessTimeMs()).isEqualTo(-1);
    }

    @Test
    void shouldKeepWhatWasSetWhenANodeMoves() throws CrailException {
        namenode.replaceFile("/a", ANNA);
        namenode.change("/a", StatusChange.ofTimes(5, 7));
        namenode.move("/a", "/b");
        NodeStatus moved = namenode.status("/b");
        assertThat(moved.ownership()).isEqualTo(ANNA);
        assertThat(moved.file().getModificationTime()).isEqualTo(5);
        assertThat(moved.accessTimeMs()).isEqualTo(7);
    }

    @Test
    void shouldRefuseWhatNoNodeCanHave() throws CrailException {
        namenode.file("/a");
        NodeStatus before = namenode.status("/a");
        String longName = "x".repeat(Ownership.MAX_NAME_BYTES + 1);
        for (StatusChange wrong : List.of(
                StatusChange.ofOwner(longName, null),
                StatusChange.ofOwner(null, longName),
                StatusChange.ofPermission(02000),
                StatusChange.ofPermission(-2))) {
            assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.change("/a", wrong));
        }
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.replaceFile("/b", new Ownership("a", "b", -1)));
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.change("/b", StatusChange.ofPermission(0)));
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.status("/b"));
        assertThat(namenode.status("/a")).isEqualTo(before);
    }

    @Test
    void shouldListChildrenWithTheirStatus() throws CrailException {
        namenode.mkdir("/d");
        namenode.replaceFile("/d/a", ANNA);
        namenode.hiddenFile("/d/b");
        List<NodeStatus> children = namenode.service
                .children(new ChildrenRequest(CrailPath.parse("/d"), "", 10))
                .children();
        assertThat(children).containsExactlyInAnyOrder(namenode.status("/d/a"), namenode.status("/d/b"));
    }

    @Test
    void shouldListTenThousandChildrenInFewCalls() throws CrailException {
        Fixture large = Fixture.withBlocks(12_000);
        large.mkdir("/d");
        for (int i = 0; i < 10_000; i++) {
            large.file("/d/part-m-" + i);
        }
        int calls = 0;
        int listed = 0;
        String after = "";
        ChildrenPage page;
        do {
            page = large.page("/d", after, ChildrenRequest.MAX_COUNT);
            listed += page.children().size();
            after = page.lastName();
            calls++;
        } while (!page.isLast());
        assertThat(listed).isEqualTo(10_000);
        assertThat(calls).isLessThanOrEqualTo(12);
    }

    @Test
    void shouldReplaceAFileByAnotherInOneStep() throws CrailException {
        FileInfo former = namenode.file("/a").file();
        namenode.extend(former, 3);
        long free = namenode.check().free();
        FileInfo created = namenode.replaceFile("/a", ANNA).file();
        assertThat(namenode.info("/a").getFd()).isEqualTo(former.getFd());
        namenode.sync(created, 10);
        assertThat(namenode.info("/a").getFd()).isEqualTo(created.getFd());
        assertThat(namenode.info("/a").getCapacity()).isEqualTo(10);
        assertThat(namenode.info("/").children()).isEqualTo(1);
        assertFails(ErrorCode.STALE_NODE, () -> namenode.sync(former, 1));
        assertThat(namenode.check().free()).isEqualTo(free - 1);
        assertThat(namenode.check().pending()).isEqualTo(3);
    }

    @Test
    void shouldReplaceNothingButAFile() throws CrailException {
        namenode.mkdir("/d");
        namenode.table("/t");
        namenode.put("/t/k");
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.replaceFile("/d", null));
        assertFails(ErrorCode.NODE_EXISTS, () -> namenode.replaceFile("/t", null));
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.replaceFile("/t/k", null));
    }
}

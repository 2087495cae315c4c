/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.rpc.message.ChildrenResponse;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings of several pages. Beside changes, a path that is there all the time is on exactly one of the pages. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ListingOrderTest {
    private Fixture namenode;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withBlocks(6000);
        namenode.mkdir("/old");
        namenode.mkdir("/d");
        namenode.mkdir("/empty");
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    private static List<String> names(ChildrenPage page) {
        return page.children().stream().map(NodeStatus::name).toList();
    }

    private void create(int from, int end, String directory) throws CrailException {
        for (int i = from; i < end; i++) {
            namenode.file(directory + "/" + i);
        }
    }

    @Test
    void shouldListAllChildrenPageByPage() throws CrailException {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            String name = "f" + i;
            expected.add(name);
            if (i % 2 == 0) {
                namenode.file("/d/" + name);
            } else {
                namenode.hiddenFile("/d/" + name);
            }
        }
        assertThat(namenode.children("/d", 7)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(namenode.children("/d", 10_000)).isEqualTo(namenode.children("/d", 7));
        assertThat(namenode.info("/d").children()).isEqualTo(125);
    }

    @Test
    void shouldRefuseToListWhatIsNoContainer() throws CrailException {
        namenode.file("/d/f");
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.page("/no", "", 1));
        assertFails(ErrorCode.NODE_TYPE_MISMATCH, () -> namenode.page("/d/f", "", 1));
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.page("/d", "", 0));
        assertFails(ErrorCode.INVALID_REQUEST, () -> namenode.page("/d", "", -1));
        namenode.remove("/d", true);
        assertFails(ErrorCode.NODE_NOT_FOUND, () -> namenode.page("/d", "", 1));
    }

    @Test
    void shouldKeepPagesOfLongNamesWithinAMessage() throws CrailException {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            String name = "x".repeat(250) + i;
            namenode.file("/d/" + name);
            expected.add(name);
        }
        assertFirstPageFitsAMessage();
        assertThat(namenode.children("/d", Integer.MAX_VALUE)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void shouldKeepPagesOfManyOwnersWithinAMessage() throws CrailException {
        for (int i = 0; i < 400; i++) {
            String owner = "abcdefgh".charAt(i % 8) + "x".repeat(250);
            namenode.replaceFile("/d/" + i, new Ownership(owner, owner, 0644));
        }
        assertFirstPageFitsAMessage();
        assertThat(namenode.children("/d", 1000)).hasSize(400);
    }

    private void assertFirstPageFitsAMessage() throws CrailException {
        ChildrenResponse page =
                namenode.service.children(new ChildrenRequest(CrailPath.parse("/d"), "", Integer.MAX_VALUE));
        assertThat(page.isLast()).isFalse();
        assertThat(page.encodedLength()).isLessThan(RpcTransport.MAX_MESSAGE_BYTES - 64);
    }

    @Test
    void shouldListAPathOnceOfWhichTheNodeIsReplacedBetweenTwoPages() throws CrailException {
        create(0, 3, "/d");
        create(0, 3, "/old");
        List<String> order = namenode.children("/d", 1);
        List<String> seen = new ArrayList<>();
        ChildrenPage page = namenode.page("/d", "", 1);
        for (int i = 0; i < 3; i++) {
            seen.addAll(names(page));
            namenode.move("/old/" + i, "/d/" + order.get(i), MoveMode.REPLACE);
            page = page.isLast() ? page : namenode.page("/d", page.lastName(), 1);
        }
        assertThat(seen).isEqualTo(order);
        assertThat(namenode.children("/d", 2)).isEqualTo(order);
    }

    @Test
    void shouldGoOnBehindANameThatIsGone() throws CrailException {
        create(0, 50, "/d");
        List<String> order = namenode.children("/d", 50);
        ChildrenPage first = namenode.page("/d", "", 20);
        for (String name : names(first)) {
            namenode.remove("/d/" + name, false);
        }
        assertThat(names(namenode.page("/d", first.lastName(), 50))).isEqualTo(order.subList(20, 50));
    }

    @Test
    void shouldSayThatAPageIsTheLastOne() throws CrailException {
        create(0, 3, "/d");
        assertThat(namenode.page("/d", "", 2).isLast()).isFalse();
        assertThat(namenode.page("/d", "", 3).isLast()).isTrue();
        assertThat(namenode.page("/d", "", 10).isLast()).isTrue();
        assertThat(namenode.page("/empty", "", 1)).isEqualTo(new ChildrenPage(List.of(), true));
    }

    /** Each page gives one, and another one is created, before it or behind it. */
    @Test
    void shouldEndBesideCreatesThatNeverEnd() throws CrailException {
        create(0, 2, "/d");
        int created = 2;
        ChildrenPage page = namenode.page("/d", "", 2);
        while (!page.isLast()) {
            namenode.file("/d/" + created++);
            page = namenode.page("/d", page.lastName(), 2);
        }
        assertThat(created).isLessThan(1000);
    }

    @Test
    void shouldListAValueOnceWhateverIsPutMeanwhile() throws CrailException {
        namenode.create("/t", CrailNodeType.TABLE);
        for (String name : List.of("/t/v", "/t/w")) {
            namenode.close(namenode.put(name).file(), 100);
        }
        List<String> order = namenode.children("/t", 5);
        ChildrenPage first = namenode.page("/t", "", 1);
        for (String name : order) {
            FileInfo early = namenode.put("/t/" + name).file();
            FileInfo late = namenode.put("/t/" + name).file();
            namenode.close(late, 1);
            namenode.close(early, 1);
        }
        assertThat(names(first)).isEqualTo(order.subList(0, 1));
        assertThat(names(namenode.page("/t", first.lastName(), 5))).isEqualTo(order.subList(1, 2));
    }

    /** Beside creates and removals that make the table split and merge. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldListWhatStaysExactlyOnce(long seed) throws CrailException {
        Random random = new Random(seed);
        Set<String> staying = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            namenode.file("/d/" + i);
            staying.add("" + i);
        }
        int next = 1000;
        for (int listing = 0; listing < 6; listing++) {
            List<String> seen = new ArrayList<>();
            String after = "";
            ChildrenPage page;
            do {
                page = namenode.page("/d", after, 40);
                seen.addAll(names(page));
                after = page.isLast() ? after : page.lastName();
                for (int i = 0; i < 300; i++, next++) {
                    namenode.create("/d/" + next, CrailNodeType.DIRECTORY, -1, -1, false);
                }
                int kept = random.nextInt(600);
                for (int gone = Math.max(1000, next - 900); gone < next - kept; gone++) {
                    if (exists("/d/" + gone)) {
                        namenode.remove("/d/" + gone, false);
                    }
                }
            } while (!page.isLast());
            assertThat(seen).doesNotHaveDuplicates().containsAll(staying);
        }
    }

    private boolean exists(String path) {
        try {
            return namenode.info(path) != null;
        } catch (CrailException e) {
            return false;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.NodeStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings of several pages, beside moves: a path that is there all the time is on one of the pages. */
class ListingOrderTest {
    private Fixture namenode;

    @BeforeEach
    void start() throws CrailException {
        namenode = Fixture.withBlocks(2000);
        namenode.mkdir("/old");
        for (int i = 0; i < 20; i++) {
            namenode.file("/old/" + i);
        }
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

    private void replaceByAnOlder(String path, int number) throws CrailException {
        namenode.move("/old/" + number, path, MoveMode.REPLACE);
    }

    @Test
    void shouldListAPathOntoWhichAnOlderFileIsMovedBetweenTwoPages() throws CrailException {
        List.of("/d/a", "/d/b", "/d/c").forEach(this::create);
        ChildrenPage first = namenode.page("/d", 0, 1);
        replaceByAnOlder("/d/b", 0);
        ChildrenPage second = namenode.page("/d", first.lastRank(), 1);
        replaceByAnOlder("/d/c", 1);
        ChildrenPage third = namenode.page("/d", second.lastRank(), 1);

        assertThat(names(first)).containsExactly("a");
        assertThat(names(second)).containsExactly("b");
        assertThat(second.children().get(0).file().getFd())
                .isLessThan(first.children().get(0).file().getFd());
        assertThat(names(third)).containsExactly("c");
        assertThat(namenode.page("/d", third.lastRank(), 1).children()).isEmpty();
        assertThat(namenode.children("/d", 10)).containsExactly("a", "b", "c");
    }

    @Test
    void shouldHandAnInheritedRankOn() throws CrailException {
        List.of("/d/a", "/d/b").forEach(this::create);
        replaceByAnOlder("/d/b", 5);
        ChildrenPage first = namenode.page("/d", 0, 1);
        replaceByAnOlder("/d/b", 3);
        replaceByAnOlder("/d/b", 4);

        assertThat(names(first)).containsExactly("a");
        assertThat(names(namenode.page("/d", first.lastRank(), 9))).containsExactly("b");
        namenode.remove("/d/b", false);
        namenode.service.reclaim();
        assertThat(namenode.children("/d", 9)).containsExactly("a");
    }

    @Test
    void shouldListWhatInheritedARankAndWasMovedAway() throws CrailException {
        List.of("/d/a", "/d/b", "/d/c").forEach(this::create);
        replaceByAnOlder("/d/b", 0);
        namenode.move("/d/b", "/old/0", MoveMode.EXACT);
        create("/d/b");

        assertThat(namenode.children("/d", 1)).containsExactly("a", "c", "b");
        assertThat(namenode.children("/old", 3)).hasSize(20).containsOnlyOnce("0");
    }

    /** Each page gives one, and one comes behind it. */
    @Test
    void shouldEndBesideCreatesThatNeverEnd() throws CrailException {
        create("/d/0");
        create("/d/1");
        int created = 2;
        ChildrenPage page = namenode.page("/d", 0, 2);
        while (!page.isLast()) {
            create("/d/" + created++);
            page = namenode.page("/d", page.lastRank(), 2);
        }
        assertThat(created).isLessThan(5);
    }

    @Test
    void shouldSayThatAPageIsTheLastOne() throws CrailException {
        for (int i = 0; i < 3; i++) {
            create("/d/" + i);
        }
        assertThat(namenode.page("/d", 0, 2).isLast()).isFalse();
        assertThat(namenode.page("/d", 0, 10).isLast()).isTrue();
        namenode.file("/old/later");
        assertThat(namenode.page("/d", 0, 3).isLast())
                .as("with later files elsewhere")
                .isFalse();
        assertThat(namenode.page("/d", 0, 4).isLast()).isTrue();
        assertThat(namenode.page("/empty", 0, 1)).isEqualTo(new ChildrenPage(List.of(), true));
    }

    @Test
    void shouldListAValueAtThePlaceOfTheLaterOneThatItReplaces() throws CrailException {
        namenode.create("/t", CrailNodeType.TABLE);
        namenode.close(namenode.put("/t/v").file(), 100);
        FileInfo early = namenode.put("/t/v").file();
        FileInfo late = namenode.put("/t/v").file();
        namenode.close(namenode.put("/t/w").file(), 100);
        namenode.close(late, 1);
        ChildrenPage first = namenode.page("/t", 0, 1);
        namenode.close(early, 1);

        assertThat(names(first)).containsExactly("v");
        assertThat(names(namenode.page("/t", first.lastRank(), 5))).containsExactly("w");
        assertThat(namenode.children("/t", 5)).containsExactly("v", "w");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldMissNoPathWhateverIsMovedOntoIt(long seed) throws Exception {
        Random random = new Random(seed);
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            create("/d/" + i);
            paths.add("" + i);
        }
        for (int listing = 0; listing < 10; listing++) {
            Set<String> seen = new HashSet<>();
            long after = 0;
            ChildrenPage page;
            do {
                page = namenode.page("/d", after, 7);
                seen.addAll(names(page));
                after = page.isLast() ? after : page.lastRank();
                replaceOneOfSixty(random);
            } while (!page.isLast());
            assertThat(seen).containsAll(paths);
            assertThat(namenode.children("/d", 9)).containsExactlyInAnyOrderElementsOf(paths);
        }
    }

    /** By a file of long ago, while there are any, or by one that is made for it, here or elsewhere. */
    private void replaceOneOfSixty(Random random) throws CrailException {
        String path = "/d/" + random.nextInt(60);
        String other =
                switch (random.nextInt(3)) {
                    case 0 -> "/old/" + random.nextInt(20);
                    case 1 -> "/d/spare";
                    default -> "/old/made";
                };
        if (!exists(other)) {
            create(other);
        }
        namenode.move(other, path, MoveMode.REPLACE);
        namenode.service.reclaim();
        namenode.check();
    }

    private boolean exists(String path) throws CrailException {
        return namenode.children(path.substring(0, path.lastIndexOf('/')), 100)
                .contains(path.substring(path.lastIndexOf('/') + 1));
    }

    private void create(String path) {
        try {
            namenode.file(path);
        } catch (CrailException e) {
            throw new AssertionError(e);
        }
    }
}

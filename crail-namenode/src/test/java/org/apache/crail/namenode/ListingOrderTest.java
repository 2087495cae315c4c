/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
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
    }

    @AfterEach
    void checkBlocks() throws CrailException {
        namenode.check();
    }

    private static long rankOfLast(List<NodeStatus> page) {
        return page.get(page.size() - 1).rank();
    }

    private static List<String> names(List<NodeStatus> page) {
        return page.stream().map(NodeStatus::name).toList();
    }

    private void replaceByAnOlder(String path, int number) throws CrailException {
        namenode.move("/old/" + number, path, MoveMode.REPLACE);
    }

    @Test
    void shouldListAPathOntoWhichAnOlderFileIsMovedBetweenTwoPages() throws CrailException {
        List.of("/d/a", "/d/b", "/d/c").forEach(this::create);
        List<NodeStatus> first = namenode.page("/d", 0, 1);
        replaceByAnOlder("/d/b", 0);
        List<NodeStatus> second = namenode.page("/d", rankOfLast(first), 1);
        replaceByAnOlder("/d/c", 1);
        List<NodeStatus> third = namenode.page("/d", rankOfLast(second), 1);

        assertThat(names(first)).containsExactly("a");
        assertThat(names(second)).containsExactly("b");
        assertThat(second.get(0).file().getFd()).isLessThan(first.get(0).file().getFd());
        assertThat(names(third)).containsExactly("c");
        assertThat(namenode.page("/d", rankOfLast(third), 1)).isEmpty();
        assertThat(namenode.children("/d", 10)).containsExactly("a", "b", "c");
    }

    @Test
    void shouldHandAnInheritedRankOn() throws CrailException {
        List.of("/d/a", "/d/b").forEach(this::create);
        replaceByAnOlder("/d/b", 5);
        List<NodeStatus> first = namenode.page("/d", 0, 1);
        replaceByAnOlder("/d/b", 3);
        replaceByAnOlder("/d/b", 4);

        assertThat(names(first)).containsExactly("a");
        assertThat(names(namenode.page("/d", rankOfLast(first), 9))).containsExactly("b");
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

    @Test
    void shouldListAValueThatComesBack() throws CrailException {
        Fixture tight = Fixture.withSharedBlocks(3);
        tight.create("/t", CrailNodeType.TABLE, Fixture.PARENT, Fixture.PARENT, false);
        tight.close(tight.hiddenPut("/t/v").file(), 100);
        tight.close(tight.hiddenPut("/t/w").file(), 100);
        for (long i = tight.check().free(); i > 0; i--) {
            tight.hiddenFile("/f" + i);
        }
        FileInfo replacement = tight.hiddenPut("/t/v").file();
        List<NodeStatus> first = tight.page("/t", 0, 1);
        Fixture.assertFails(
                ErrorCode.NO_FREE_BLOCKS,
                () -> tight.map(replacement.getFd(), replacement.getToken(), Fixture.PART, 1));

        assertThat(names(first)).containsExactly("w");
        assertThat(names(tight.page("/t", rankOfLast(first), 1))).containsExactly("v");
        assertThat(tight.children("/t", 5)).containsExactly("w", "v");
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
            int pages = 0;
            for (List<NodeStatus> page = namenode.page("/d", after, 7);
                    !page.isEmpty();
                    page = namenode.page("/d", after, 7)) {
                seen.addAll(names(page));
                after = rankOfLast(page);
                if (pages++ < 12) { // then what is moved to the end is caught up with
                    replaceOneOfSixty(random);
                }
            }
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

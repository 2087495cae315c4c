/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.crail.CrailNodeType;
import org.junit.jupiter.api.Test;

class NodeTableTest {
    private static Node node(long fd, String name, int hash) {
        Node node = new Node(fd, CrailNodeType.DATAFILE, true, null);
        node.name = name.getBytes(StandardCharsets.UTF_8);
        node.nameHash = hash;
        return node;
    }

    private static Node find(ChildTable table, Node like) {
        return table.find(like.name, like.nameHash);
    }

    @Test
    void shouldBehaveAsAMapWhileItGrowsAndShrinks() {
        Random random = new Random(7);
        FdTable table = new FdTable();
        Map<Long, Node> model = new HashMap<>();
        for (int step = 0; step < 200_000; step++) {
            long fd = 1L + random.nextInt(60_000);
            Node known = model.get(fd);
            assertThat(table.find(fd)).isSameAs(known);
            if (known == null) {
                Node added = node(fd, "n", 0);
                table.put(added);
                model.put(fd, added);
            } else {
                table.remove(known);
                model.remove(fd);
            }
        }
        List<Node> seen = new ArrayList<>();
        long ignored = walk(table, seen, () -> {});
        assertThat(seen).hasSameSizeAs(model.values());
        assertThat(new HashSet<>(seen)).isEqualTo(new HashSet<>(model.values()));
        assertThat(table.size()).isEqualTo(model.size());
        model.values().forEach(table::remove);
        assertThat(table.size()).isZero();
    }

    /** D7: names with equal hashes are different nodes. */
    @Test
    void shouldTellNamesWithEqualHashesApart() {
        ChildTable table = new ChildTable();
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            nodes.add(node(i, "name" + i, 0x12345678));
            table.put(nodes.get(i));
        }
        for (int i = 0; i < 500; i += 2) {
            table.remove(nodes.get(i));
        }
        for (int i = 0; i < 500; i++) {
            assertThat(find(table, nodes.get(i))).isSameAs(i % 2 == 0 ? null : nodes.get(i));
        }
    }

    @Test
    void shouldFindNodesAtBothEndsOfTheHashes() {
        ChildTable table = new ChildTable();
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int hash = i % 2 == 0 ? -1 - i * 77_777 : i * 77_777;
            nodes.add(node(i, "name" + i, hash));
            table.put(nodes.get(i));
        }
        assertThat(nodes).allSatisfy(node -> assertThat(find(table, node)).isSameAs(node));
    }

    @Test
    void shouldBecomeSmallAgainWhenItHoldsFew() {
        FdTable table = new FdTable();
        List<Node> nodes = new ArrayList<>();
        for (int fd = 1; fd <= 100_000; fd++) {
            nodes.add(node(fd, "n", 0));
            table.put(nodes.get(fd - 1));
        }
        int large = table.directoryLength();
        assertThat(large).isGreaterThan(32);
        for (Node node : nodes.subList(10, nodes.size())) {
            table.remove(node);
        }
        assertThat(table.directoryLength()).isEqualTo(1);
        for (Node node : nodes.subList(0, 10)) {
            assertThat(table.find(node.fd)).isSameAs(node);
        }
        for (Node node : nodes.subList(10, nodes.size())) {
            assertThat(table.find(node.fd)).isNull();
            table.put(node);
        }
        assertThat(table.directoryLength()).isEqualTo(large);
        assertThat(nodes).allSatisfy(node -> assertThat(table.find(node.fd)).isSameAs(node));
    }

    @Test
    void shouldDrainPartByPart() {
        FdTable table = new FdTable();
        for (int fd = 1; fd <= 10_000; fd++) {
            table.put(node(fd, "n", 0));
        }
        List<Node> drained = new ArrayList<>();
        int parts = 0;
        while (table.drainPart(drained::add)) {
            parts++;
            List<Node> rest = new ArrayList<>();
            long ignored = walk(table, rest, () -> {});
            assertThat(rest).doesNotContainAnyElementsOf(drained);
            assertThat(rest.size() + drained.size()).isEqualTo(10_000);
        }
        assertThat(parts).isGreaterThan(4);
        assertThat(drained).doesNotHaveDuplicates().hasSize(10_000);
    }

    private static long walk(NodeTable table, List<Node> seen, Runnable betweenParts) {
        long parts = 0;
        for (long from = 0; from < NodeTable.HASHES; parts++) {
            int before = seen.size();
            from = table.forEachOfPart(from, seen::add);
            assertThat(seen.size() - before).as("nodes of a part").isLessThan(2048);
            betweenParts.run();
        }
        return parts;
    }

    @Test
    void shouldBeWalkedInBoundedParts() {
        ChildTable table = new ChildTable();
        Random random = new Random(3);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            nodes.add(node(i, "name" + i, random.nextInt()));
            table.put(nodes.get(i));
        }
        List<Node> seen = new ArrayList<>();
        assertThat(walk(table, seen, () -> {})).isLessThan(400);
        assertThat(seen).hasSize(100_000).doesNotHaveDuplicates();
        for (Node node : nodes.subList(100, nodes.size())) {
            table.remove(node);
        }
        assertThat(walk(table, new ArrayList<>(), () -> {})).isEqualTo(1);
    }

    @Test
    void shouldVisitWhatStaysOnceWhileItSplitsAndMerges() {
        Random random = new Random(5);
        ChildTable table = new ChildTable();
        List<Node> staying = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            staying.add(node(i, "name" + i, random.nextInt()));
            table.put(staying.get(i));
        }
        List<Node> others = new ArrayList<>();
        for (int round = 0; round < 10; round++) {
            List<Node> seen = new ArrayList<>();
            walk(table, seen, () -> {
                for (int i = 0; i < 2000; i++) {
                    others.add(node(10_000 + others.size(), "other", random.nextInt()));
                    table.put(others.get(others.size() - 1));
                }
                while (!others.isEmpty() && random.nextInt(5000) > 0) {
                    table.remove(others.remove(others.size() - 1));
                }
            });
            seen.removeIf(node -> node.fd >= 10_000);
            assertThat(seen).containsExactlyInAnyOrderElementsOf(staying);
        }
    }
}

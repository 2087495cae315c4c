/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.NamespaceModel;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations, each compared with a simple model. A failure tells the seed and the step. */
public abstract class RandomOperationsSuite extends ClusterSuite {
    private static final int STEPS = Rounds.of(400);
    private static final List<String> NAMES = List.of("a", "b", "Aa", "BB", "ü");
    private static final List<CrailNodeType> TYPES = List.of(
            CrailNodeType.DIRECTORY,
            CrailNodeType.DIRECTORY,
            CrailNodeType.DATAFILE,
            CrailNodeType.DATAFILE,
            CrailNodeType.MULTIFILE,
            CrailNodeType.TABLE,
            CrailNodeType.KEYVALUE,
            CrailNodeType.KEYVALUE);

    private final NamespaceModel model = new NamespaceModel();
    private Random random;
    private String operation = "none";

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape().datanodes(2).blocksPerDatanode(256).with("crail.tokenexpiration", Patience.ofMs(1_000));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldBehaveAsTheModelDoes(long seed) throws Exception {
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            try {
                act();
                if (step % 50 == 49) {
                    compareAll();
                }
            } catch (AssertionError | Exception e) {
                throw new AssertionError("seed " + seed + ", step " + step + ": " + operation + ": " + e, e);
            }
        }
        deleteAllAndReclaim();
    }

    private void act() throws Exception {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> create(path(), TYPES.get(random.nextInt(TYPES.size())));
            case 3 -> delete(path(), random.nextBoolean());
            case 4 -> rename(path(), path());
            case 5, 6 -> append(path());
            case 7 -> compare(path());
            case 8 -> list(path());
            default -> put();
        }
    }

    private String path() {
        List<String> known = model.paths();
        if (!known.isEmpty() && random.nextInt(3) > 0) {
            String path = known.get(random.nextInt(known.size()));
            return random.nextInt(3) > 0 ? path : path + "/" + name();
        }
        return "/" + name();
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private void create(String path, CrailNodeType type) throws Exception {
        operation = "create " + path + " " + type;
        CrailNode node = compareWith(model.expectCreate(path, type), () -> client.create(path, type));
        if (node != null) {
            model.create(path, type, type.isContainer() ? null : writerOf(node));
            if (!type.isContainer()) {
                TestClient.append(writerOf(node), model.find(path).append(random.nextInt(100)));
            }
        }
    }

    private static CrailFile writerOf(CrailNode node) throws Exception {
        return node.getType().isKeyValue() ? node.asKeyValue() : node.asFile();
    }

    private void delete(String path, boolean recursive) throws Exception {
        operation = "delete " + path + " " + recursive;
        if (compareWith(model.expectDelete(path, recursive), () -> client.delete(path, recursive)) != null) {
            model.delete(path);
        }
    }

    private void rename(String from, String to) throws Exception {
        operation = "rename " + from + " " + to;
        if (!from.equals(to) && compareWith(model.expectRename(from, to), () -> client.rename(from, to)) != null) {
            model.rename(from, to);
        }
    }

    private void put() throws Exception {
        List<String> tables = model.paths().stream()
                .filter(path -> model.find(path).type().isTable())
                .toList();
        if (!tables.isEmpty()) {
            create(tables.get(random.nextInt(tables.size())) + "/" + name(), CrailNodeType.KEYVALUE);
        }
    }

    private void append(String path) throws Exception {
        NamespaceModel.Entry entry = model.find(path);
        operation = "append to " + path;
        if (entry == null || entry.type().isContainer()) {
            return;
        }
        int length = 1 + random.nextInt(random.nextBoolean() ? 100 : 2 * BLOCK);
        if (entry.writer().getPath().equals(path) && random.nextBoolean()) {
            TestClient.append(entry.writer(), entry.append(length));
        } else {
            client.append(path, entry.append(length));
        }
    }

    private void compare(String path) throws Exception {
        operation = "read " + path;
        NamespaceModel.Entry entry = model.find(path);
        CrailNode node = client.lookup(path);
        if (entry == null) {
            assertThat(node).isNull();
            return;
        }
        assertThat(node.getType()).isEqualTo(entry.type());
        if (!entry.type().isContainer()) {
            assertThat(client.read(path)).isEqualTo(entry.content());
        }
    }

    private void list(String path) throws Exception {
        operation = "list " + path;
        NamespaceModel.Entry entry = model.find(path);
        if (entry != null && entry.type().isContainer()) {
            assertThat(client.list(path)).isEqualTo(model.children(path));
        }
    }

    private void compareAll() throws Exception {
        for (String path : model.paths()) {
            compare(path);
            list(path);
        }
        operation = "check";
        assertThat(client.list("/")).isEqualTo(model.children(""));
        assertThat(cluster.checkBlocks().nodes()).isEqualTo(model.paths().size() + 1);
    }

    private static CrailNode compareWith(NamespaceModel.Expectation expected, Callable<CrailNode> call)
            throws Exception {
        try {
            CrailNode node = call.call();
            assertThat(node != null ? expected.value() : expected.none())
                    .as("the operation gave %s, expected was %s", node, expected)
                    .isTrue();
            return node;
        } catch (CrailException e) {
            if (expected.failures().stream().noneMatch(type -> type.isInstance(e))) {
                throw new AssertionError("unexpected failure; expected was " + expected, e);
            }
            return null;
        }
    }

    private void deleteAllAndReclaim() throws Exception {
        for (String name : client.list("/")) {
            client.delete("/" + name, true);
        }
        assertThat(cluster.checkBlocks().nodes()).isEqualTo(1);
        Await.until(
                "all blocks are reclaimed",
                () -> { // parts of shared blocks do not count as pending
                    CheckResponse check = cluster.checkBlocks();
                    return check.pending() == 0 && check.allocated() <= 1;
                });
    }
}

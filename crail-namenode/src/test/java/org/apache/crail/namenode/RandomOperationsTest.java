/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.rpc.message.CheckResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations against a simple model; all blocks are counted after each. */
class RandomOperationsTest {
    private static final int STEPS = 1500;
    private static final List<CrailNodeType> TYPES = List.of(
            CrailNodeType.DATAFILE,
            CrailNodeType.DATAFILE,
            CrailNodeType.DIRECTORY,
            CrailNodeType.DIRECTORY,
            CrailNodeType.MULTIFILE,
            CrailNodeType.TABLE,
            CrailNodeType.KEYVALUE,
            CrailNodeType.KEYVALUE);

    private static final MoveMode[] MODES = MoveMode.values();

    private final TreeModel model = new TreeModel();
    private final Map<Long, FileInfo> everCreated = new HashMap<>();

    /** Nodes that are being written and have no place in the tree, or none any more. */
    private final Map<Long, Put> unplaced = new HashMap<>();

    /** When the tokens were used that have not been given back. */
    private final Map<Long, Long> lastUsedMs = new HashMap<>();

    private final Map<Long, Long> capacities = new HashMap<>();
    private Fixture namenode;
    private Random random;
    private boolean tight;
    private boolean shared;

    /** How long the namenode has run, by its own counting. */
    private long runningMs;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldAgreeWithTheModel(long seed) throws CrailException {
        random = new Random(seed);
        tight = seed % 2 == 0;
        DataNodeInfo datanode = Fixture.datanode("dn", 0, 0);
        shared = seed % 3 == 0;
        int blocks = tight ? 12 : 4000;
        namenode = shared ? Fixture.withSharedBlocks(blocks) : Fixture.withBlocks(blocks);
        for (int step = 0; step < STEPS; step++) {
            step();
            namenode.heartbeat(datanode, 1);
            CheckResponse check = namenode.check();
            assertThat(check.nodes()).as("step %d", step).isEqualTo(model.nodes.size() + 1);
            if (step % 50 == 0) {
                compareAll();
            }
        }
        compareAll();
        namenode.pass(3 * Fixture.EXPIRATION_MS);
        assertThat(namenode.check().pending()).isZero();
    }

    private void step() throws CrailException {
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> create(path(), TYPES.get(random.nextInt(TYPES.size())));
            case 4 -> remove(path(), random.nextInt(4) == 0);
            case 5, 6 -> move(path(), path(), MODES[random.nextInt(MODES.length)]);
            case 7, 8 -> write();
            default -> {
                long ms = random.nextInt(4000);
                runningMs += Math.min(ms, Fixture.DATANODE_TIMEOUT_MS / 8);
                namenode.clock.advanceMs(ms);
                namenode.service.reclaim();
                endLostWriters();
            }
        }
    }

    private void endLostWriters() {
        long lostMs = runningMs - 2 * Fixture.EXPIRATION_MS;
        lastUsedMs.values().removeIf(usedMs -> usedMs <= lostMs);
        unplaced.keySet().retainAll(lastUsedMs.keySet());
    }

    /** Where a node is to be; the root's id is 0. */
    private record Put(long parentFd, String name) {}

    private Put placeOf(String path) {
        int end = path.lastIndexOf('/');
        return new Put(end == 0 ? 0 : model.nodes.get(path.substring(0, end)).fd, path.substring(end));
    }

    /** The path of a place, or null if its parent is gone. */
    private String pathOf(Put put) {
        return put.parentFd == 0
                ? put.name
                : model.nodes.entrySet().stream()
                        .filter(entry -> entry.getValue().fd == put.parentFd)
                        .map(entry -> entry.getKey() + put.name)
                        .findFirst()
                        .orElse(null);
    }

    /** Few names, so that operations meet. */
    private String path() {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(3);
        for (int i = 0; i < depth; i++) {
            path.append('/').append((char) ('a' + random.nextInt(5)));
        }
        return path.toString();
    }

    private ErrorCode codeOf(Operation operation) throws CrailException {
        try {
            operation.run();
            return null;
        } catch (CrailException e) {
            if (e.code() == ErrorCode.NO_FREE_BLOCKS) {
                assertThat(namenode.check().pending()).as(e.getMessage()).isZero();
            }
            return e.code() == ErrorCode.BLOCKS_PENDING && tight ? ErrorCode.NO_FREE_BLOCKS : e.code();
        }
    }

    private void create(String path, CrailNodeType type) throws CrailException {
        long[] fd = new long[1];
        ErrorCode code = codeOf(() -> {
            boolean enumerable = random.nextInt(4) > 0;
            FileInfo file = namenode.create(path, type, -1, -1, enumerable).file();
            assertThat(file.isEnumerable()).isEqualTo(enumerable);
            everCreated.put(file.getFd(), file);
            fd[0] = file.getFd();
        });
        if (code == ErrorCode.NO_FREE_BLOCKS) {
            assertThat(model.canCreate(path, type)).isNull();
            return;
        }
        assertThat(code).as("create %s %s", type, path).isEqualTo(model.canCreate(path, type));
        if (code != null) {
            return;
        }
        if (!type.isContainer()) {
            lastUsedMs.put(fd[0], runningMs);
        }
        if (model.nodes.containsKey(path)) {
            unplaced.put(fd[0], placeOf(path));
        } else {
            model.nodes.put(path, new TreeModel.Entry(type, fd[0]));
        }
    }

    private void remove(String path, boolean recursive) throws CrailException {
        ErrorCode expected = model.canRemove(path, recursive);
        assertThat(codeOf(() -> namenode.remove(path, recursive)))
                .as("remove %s", path)
                .isEqualTo(expected);
        if (expected == null) {
            model.remove(path);
        }
    }

    private void move(String from, String to, MoveMode mode) throws CrailException {
        ErrorCode expected = model.canMove(from, to, mode);
        ErrorCode code = codeOf(() -> namenode.move(from, to, mode));
        assertThat(code).as("move %s to %s, %s", from, to, mode).isEqualTo(expected);
        if (expected == null) {
            model.move(from, to, mode);
        }
    }

    private void write() throws CrailException {
        if (everCreated.isEmpty()) {
            return;
        }
        List<FileInfo> files = List.copyOf(everCreated.values());
        FileInfo file = files.get(random.nextInt(files.size()));
        if (file.getToken() == 0) {
            return;
        }
        boolean exists = model.nodes.values().stream().anyMatch(entry -> entry.fd == file.getFd());
        String place = unplaced.containsKey(file.getFd()) ? pathOf(unplaced.get(file.getFd())) : null;
        boolean[] ends = new boolean[2];
        long[] shownBytes = new long[1];
        ErrorCode code = codeOf(() -> {
            int blocks = namenode.extend(file, 1 + random.nextInt(6)).size();
            long bytes = (long) random.nextInt(blocks * Fixture.BLOCK + 1);
            if (bytes > Fixture.PART) {
                namenode.map(file.getFd(), file.getToken(), Fixture.PART, 1);
            }
            long shown = random.nextInt(4) == 0 ? 0 : bytes;
            ends[0] = random.nextBoolean();
            ends[1] = ends[0] || shown > capacities.getOrDefault(file.getFd(), 0L);
            shownBytes[0] = shown;
            if (ends[0]) {
                namenode.close(file, shown);
            } else {
                namenode.sync(file, shown);
            }
        });
        boolean full = code == ErrorCode.NO_FREE_BLOCKS && tight;
        if (!exists && place == null) {
            assertThat(code).isEqualTo(ErrorCode.STALE_NODE);
        } else if (!lastUsedMs.containsKey(file.getFd())) {
            assertThat(code).isEqualTo(ErrorCode.TOKEN_MISMATCH);
        } else if (code == ErrorCode.NODE_EXISTS && ends[0]) {
            assertThat(isTakenByAnotherType(place, file)).isTrue();
            lastUsedMs.remove(file.getFd());
            unplaced.remove(file.getFd());
        } else if (full || (code == ErrorCode.NODE_EXISTS && isTakenByAnotherType(place, file))) {
            lastUsedMs.put(file.getFd(), runningMs);
        } else {
            assertThat(code).isNull();
            capacities.merge(file.getFd(), shownBytes[0], Math::max);
            written(file, place, ends[0], ends[1]);
        }
    }

    private boolean isTakenByAnotherType(String place, FileInfo file) {
        TreeModel.Entry there = place == null ? null : model.nodes.get(place);
        return there != null && there.type != file.getType();
    }

    private void written(FileInfo file, String place, boolean isClosed, boolean isShown) {
        if (isClosed) {
            lastUsedMs.remove(file.getFd());
        } else {
            lastUsedMs.put(file.getFd(), runningMs);
        }
        if (isShown && place != null) {
            Put put = unplaced.remove(file.getFd());
            TreeModel.Entry replaced = model.nodes.put(place, new TreeModel.Entry(file.getType(), file.getFd()));
            if (replaced != null && lastUsedMs.containsKey(replaced.fd)) {
                unplaced.put(replaced.fd, put);
            }
        }
    }

    private void compareAll() throws CrailException {
        for (Map.Entry<String, TreeModel.Entry> entry : model.nodes.entrySet()) {
            FileInfo info = namenode.info(entry.getKey());
            assertThat(info.getFd()).isEqualTo(entry.getValue().fd);
            assertThat(info.getType()).isEqualTo(entry.getValue().type);
            if (info.getType().isContainer()) {
                compareChildren(entry.getKey(), info);
            }
        }
        compareChildren("", namenode.info("/"));
    }

    private void compareChildren(String path, FileInfo info) throws CrailException {
        List<String> expected = model.nodes.keySet().stream()
                .filter(other -> other.startsWith(path + "/") && other.indexOf('/', path.length() + 1) < 0)
                .map(other -> other.substring(path.length() + 1))
                .toList();
        List<NodeStatus> children = namenode.statuses(path, 3);
        assertThat(children).extracting(NodeStatus::name).containsExactlyInAnyOrderElementsOf(expected);
        int listed = 0;
        for (NodeStatus child : children) {
            FileInfo created = everCreated.get(model.nodes.get(path + "/" + child.name()).fd);
            assertThat(child.file().getFd()).isEqualTo(created.getFd());
            assertThat(child.file().isEnumerable()).isEqualTo(created.isEnumerable());
            listed += created.isEnumerable() ? 1 : 0;
        }
        assertThat(info.children()).isEqualTo(listed);
        assertThat(info.getCapacity()).isZero();
        assertThat(namenode.find(path).firstBlock()).isNull();
    }

    /** A call that may fail. */
    private interface Operation {
        void run() throws CrailException;
    }
}

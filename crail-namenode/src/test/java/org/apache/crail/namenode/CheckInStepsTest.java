/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.Region;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.namenode.block.BlockAudit;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.tree.Damage;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.RegisterRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A check gives way to others between its steps, and takes none of their changes for damage. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CheckInStepsTest {
    private static final MoveMode[] MODES = MoveMode.values();
    private static final DataNodeInfo DATANODE = Fixture.datanode("dn", 0, 0);

    private final Map<String, FileInfo> writing = new HashMap<>();
    private Fixture namenode;
    private Random random;
    private int steps;

    private static void sound(CheckResponse check) {
        assertThat(check.problems()).isEmpty();
        assertThat(check.free() + check.allocated() + check.pending()).isEqualTo(check.registered());
    }

    /** An action that may fail as any request may. */
    private interface Deed {
        void run() throws CrailException;
    }

    private void attempt(Deed deed) {
        try {
            deed.run();
        } catch (CrailException e) {
            assertThat(e.code()).isNotEqualTo(ErrorCode.INTERNAL);
        }
    }

    /** For an action that none of the changes meanwhile lets fail. */
    private static void succeed(Deed deed) {
        try {
            deed.run();
        } catch (CrailException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldAnswerOthersBetweenItsSteps() throws CrailException {
        namenode = Fixture.withBlocks(3000);
        namenode.mkdir("/d");
        for (int i = 0; i < 1000; i++) {
            namenode.file("/d/" + i);
        }
        int perStep = 50;
        CheckResponse check = namenode.service.check(perStep, () -> {
            steps++;
            succeed(() -> {
                namenode.put("/value" + steps);
                namenode.move("/d/" + steps, "/d/moved" + steps, MoveMode.EXACT);
                namenode.remove("/d/moved" + steps, false);
                assertThat(namenode.info("/value" + steps)).isNotNull();
            });
        });

        sound(check);
        assertThat(steps).as("steps for 3000 blocks and 1000 nodes twice").isGreaterThan(3000 / perStep);
        namenode.check();
    }

    @Test
    void shouldLookAtALargeFileInSteps() throws CrailException {
        int blocks = 4096;
        namenode = Fixture.withBlocks(blocks);
        FileInfo file = namenode.hiddenFile("/large").file();
        for (int i = 0; i < blocks; i += 128) {
            namenode.map(file.getFd(), file.getToken(), (long) i * Fixture.BLOCK, 128);
        }
        CheckResponse check = namenode.service.check(128, () -> steps++);
        assertThat(steps).isGreaterThanOrEqualTo(blocks / 128);
        assertThat(check.allocated()).isEqualTo(blocks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 20, 40, 60})
    void shouldCountBlocksThatACloseHandsOverMeanwhile(int closedAt) throws CrailException {
        int blocks = 4096;
        namenode = Fixture.withBlocks(blocks + 100);
        FileInfo file = namenode.hiddenFile("/large").file();
        for (int i = 0; i < blocks; i += 128) {
            namenode.map(file.getFd(), file.getToken(), (long) i * Fixture.BLOCK, 128);
        }
        CheckResponse check = namenode.service.check(
                60,
                () -> succeed(() -> {
                    if (++steps == closedAt) {
                        namenode.close(file, 700L * Fixture.BLOCK);
                    }
                }));
        assertThat(steps).isGreaterThanOrEqualTo(closedAt);
        sound(check);
        assertThat(check.free()).isEqualTo(100);
        namenode.check();
    }

    private void hiddenDirectory(String path) throws CrailException {
        namenode.create(path, CrailNodeType.DIRECTORY, Fixture.PARENT, Fixture.PARENT, false);
    }

    @Test
    void shouldVisitFewNodesInAStepAlsoWhenNearlyAllAreNew() throws CrailException {
        namenode = new Fixture();
        int before = 3000;
        int meanwhile = 80_000;
        int perStep = 2000;
        for (int i = 0; i < before; i++) {
            hiddenDirectory("/" + i);
        }
        CheckResponse check = namenode.service.check(
                perStep,
                () -> attempt(() -> {
                    if (steps++ > 0) {
                        return;
                    }
                    hiddenDirectory("/new");
                    for (int i = 0; i < meanwhile; i++) {
                        hiddenDirectory("/new/" + i);
                    }
                }));
        sound(check);
        assertThat(check.nodes()).isEqualTo(1 + before);
        int atMost = perStep + 2048; // a part of the table is visited as a whole
        assertThat(steps)
                .as("steps")
                .isGreaterThan(meanwhile / 2 / atMost); // half of the table has been visited at most
    }

    @Test
    void shouldCountTheWayUpFromNodesThatHaveBeenRemoved() throws CrailException {
        namenode = new Fixture();
        int depth = 400;
        int leaves = 1000;
        String path = "";
        for (int i = 0; i < depth; i++) {
            path += "/d";
            hiddenDirectory(path);
        }
        for (int i = 0; i < leaves; i++) {
            hiddenDirectory(path + "/" + i);
        }
        namenode.remove("/d", true);

        sound(namenode.service.check(2 * depth, () -> steps++));
        assertThat(steps).as("steps").isGreaterThanOrEqualTo(leaves / 3);
    }

    /** After a restart of the namenode, all regions are held back; the beginning needs the lock for writing. */
    @Test
    void shouldBeginWithLittleForEachRegionThatIsHeldBack() throws CrailException {
        int regions = 8000;
        namenode = new Fixture();
        List<Region> all = new ArrayList<>();
        for (int i = 0; i < regions; i++) {
            all.add(new Region((long) i << 30, 0, Fixture.BLOCK, 1));
        }
        namenode.service.register(new RegisterRequest(DATANODE, 1, "", 0, Long.MAX_VALUE, true, all));
        BlockStore blocks = namenode.service.namespace().blocks();
        blocks.audit().end();
        long before = allocatedBytes();
        BlockAudit audit = blocks.audit();
        long bytes = allocatedBytes() - before;
        audit.end();
        assertThat(bytes).isLessThan(24L * regions);

        CheckResponse check = namenode.service.check(100, () -> {
            if (++steps == 10) {
                namenode.clock.advanceMs(Fixture.EXPIRATION_MS);
                namenode.service.reclaim();
            }
        });
        sound(check);
        assertThat(steps).isGreaterThanOrEqualTo(regions / 100);
        assertThat(check.pending()).isEqualTo(regions);
        assertThat(namenode.check().free()).isEqualTo(regions);
    }

    private static long allocatedBytes() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    /** Counts are those of the moment in which the check begins, whatever happens meanwhile. */
    @Test
    void shouldCountWhatWasWhenItBegan() throws CrailException {
        namenode = Fixture.withBlocks(200);
        for (int i = 0; i < 100; i++) {
            namenode.hiddenFile("/" + i);
        }
        for (int i = 0; i < 30; i++) {
            namenode.remove("/" + i, false);
        }
        CheckResponse check = namenode.service.check(
                1,
                () -> attempt(() -> {
                    steps++;
                    namenode.remove("/" + (30 + steps), false);
                    namenode.clock.advanceMs(200);
                    namenode.heartbeat(DATANODE, 1);
                    namenode.service.reclaim();
                    namenode.hiddenFile("/new" + steps);
                }));
        sound(check);
        assertThat(check.free()).isEqualTo(100);
        assertThat(check.pending()).isEqualTo(30);
        assertThat(check.allocated()).isEqualTo(70);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldTakeNoChangeForDamage(long seed) throws CrailException {
        random = new Random(seed);
        namenode = seed % 2 == 0 ? Fixture.withBlocks(600) : Fixture.withSharedBlocks(200);
        for (int i = 0; i < 3000; i++) {
            attempt(this::change);
        }
        for (int round = 0; round < 40; round++) {
            int perStep = 1 + random.nextInt(20);
            sound(namenode.service.check(perStep, () -> {
                for (int i = random.nextInt(6); i > 0; i--) {
                    attempt(this::change);
                }
            }));
            attempt(this::change);
            namenode.check();
        }
    }

    /** The new blocks are not looked at, but the books of the datanode count what has come back of them. */
    @Test
    void shouldTakeNoPartOfANewBlockForDamage() throws CrailException {
        namenode = Fixture.withSharedBlocks(1);
        namenode.hiddenFile("/f"); // the only block that the check is going to look at
        CheckResponse check = namenode.service.check(
                1,
                () -> attempt(() -> {
                    if (steps++ > 0) {
                        return;
                    }
                    namenode.register(DATANODE, 1, new Region(1L << 30, 0, Fixture.BLOCK, 1));
                    FileInfo kept = namenode.hiddenPut("/kept").file();
                    FileInfo given = namenode.hiddenPut("/given").file();
                    namenode.close(kept, 1);
                    namenode.close(given, 1);
                    namenode.remove("/given", false);
                    namenode.reclaimAll(DATANODE);
                }));
        assertThat(steps).isPositive();
        sound(check);
        assertThat(namenode.check().registered()).isEqualTo(2);
    }

    private String path() {
        String name = "/" + (char) ('a' + random.nextInt(6));
        return random.nextBoolean() ? name : name + "/" + random.nextInt(40);
    }

    private void change() throws CrailException {
        namenode.heartbeat(DATANODE, 1);
        switch (random.nextInt(14)) {
            case 0, 1, 2 -> create(path());
            case 3 -> namenode.remove(path(), random.nextInt(3) == 0);
            case 4 -> namenode.move(path(), path(), MODES[random.nextInt(MODES.length)]);
            case 5, 6, 7 -> write(random.nextBoolean());
            case 8 ->
                namenode.register(DATANODE, 1, new Region(random.nextInt(20) * (1L << 30), 0, 3L * Fixture.BLOCK, 1));
            case 9 -> anotherDatanode();
            case 10 -> namenode.change(path(), StatusChange.ofTimeToLive(time()));
            case 11 -> namenode.change(path(), StatusChange.ofEnd(time()));
            default -> {
                namenode.clock.advanceMs(random.nextInt(3000));
                namenode.service.reclaim();
            }
        }
    }

    private Duration time() {
        return Duration.ofMillis(1000L * random.nextInt(20));
    }

    private void create(String path) throws CrailException {
        CrailNodeType[] types = {
            CrailNodeType.DATAFILE, CrailNodeType.DIRECTORY, CrailNodeType.TABLE, CrailNodeType.KEYVALUE
        };
        writing.put(
                path,
                namenode.create(path, types[random.nextInt(4)], -1, -1, random.nextInt(4) > 0)
                        .file());
    }

    private void write(boolean isEnd) throws CrailException {
        List<FileInfo> all = new ArrayList<>(writing.values());
        if (all.isEmpty()) {
            return;
        }
        FileInfo file = all.get(random.nextInt(all.size()));
        int blocks = namenode.extend(file, 1 + random.nextInt(9)).size();
        int bytes = random.nextInt(blocks * Fixture.BLOCK + 1);
        if (bytes > Fixture.PART) {
            namenode.map(file.getFd(), file.getToken(), Fixture.PART, 1);
        }
        if (isEnd) {
            namenode.close(file, bytes);
        } else {
            namenode.sync(file, bytes);
        }
    }

    /** Comes, and comes back without its data after it has stopped. */
    private void anotherDatanode() throws CrailException {
        DataNodeInfo other = Fixture.datanode("other", 0, 0);
        long life = 1L + random.nextInt(50);
        namenode.register(other, life, 20);
        if (random.nextInt(3) == 0) {
            namenode.stop(other, life);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4096})
    void shouldFindDamageBesideChanges(int perStep) throws CrailException {
        namenode = Fixture.withBlocks(500);
        namenode.mkdir("/d");
        for (int i = 0; i < 100; i++) {
            namenode.file("/d/" + i);
        }
        Node lost = node("/d/8");
        Node gone = node("/d/9");
        Damage.holdFirstBlockOf(node("/d/7"), node("/d/10"));
        Damage.dropFromParent(lost);
        Damage.forgetParent(gone);
        int[] files = {0};

        CheckResponse check =
                namenode.service.check(perStep, () -> attempt(() -> namenode.hiddenFile("/" + files[0]++)));

        assertThat(check.problems())
                .anySatisfy(problem -> assertThat(problem).contains("held elsewhere too"))
                .anySatisfy(problem -> assertThat(problem).contains("499 blocks found, the books say 500"))
                .anySatisfy(problem -> assertThat(problem).contains("node " + lost.fd() + " is no child of"))
                .anySatisfy(problem -> assertThat(problem).contains("node " + gone.fd() + " has been removed, but"))
                .anySatisfy(problem -> assertThat(problem).contains("node " + gone.fd() + " is a child of"));
    }

    private Node node(String path) throws CrailException {
        return namenode.service.namespace().tree().require(CrailPath.parse(path));
    }

    @Test
    void shouldFindEndsThatNobodyHolds() throws CrailException {
        namenode = Fixture.withBlocks(10);
        namenode.hiddenFile("/hidden");
        namenode.hiddenFile("/stays");
        namenode.change("/stays", StatusChange.ofTimeToLive(Duration.ofHours(1)));
        Damage.hideEnd(node("/hidden"));
        Damage.stay(namenode.service.namespace().tree(), node("/stays"));

        CheckResponse check = namenode.service.check(3, () -> {});

        assertThat(check.problems())
                .containsExactlyInAnyOrder(
                        "node " + node("/hidden").fd() + " goes at some time, but is not among the nodes that do",
                        "node " + node("/stays").fd() + " has a time to live of 3600000 ms, but stays");
    }

    @Test
    void shouldFindBlocksThatNobodyHolds() throws CrailException {
        namenode = Fixture.withBlocks(10);
        namenode.hiddenFile("/a");
        Damage.loseFirstBlock(node("/a"));
        CheckResponse check = namenode.service.check(3, () -> {});
        assertThat(check.problems())
                .hasSize(2)
                .anySatisfy(problem -> assertThat(problem).contains("9 blocks found, the books say 10"))
                .anySatisfy(problem -> assertThat(problem).contains("0 blocks held or waiting, the books say 1"));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Small outputs in common files. */
@Tag("spark")
class AppendFilesTest {
    private static final String DIRECTORY = "/shuffle";

    private final AppendFiles files = new AppendFiles(new Directory());
    private MiniCluster cluster;
    private CrailStore store;

    @BeforeEach
    void start() throws Exception {
        cluster = MiniCluster.builder(ClusterKind.SOCKETS).start();
        store = cluster.newStore();
        Object ignored = create(DIRECTORY, CrailNodeType.DIRECTORY);
    }

    @AfterEach
    void stop() throws Exception {
        store.close();
        cluster.close();
    }

    private CrailNode create(String path, CrailNodeType type) throws IOException {
        return StoreCalls.await(
                "creating",
                () -> store.create(path, type, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true));
    }

    /** One for all shuffles. */
    private final class Directory implements AppendFiles.Directory {
        @Override
        public CrailFile create(int shuffleId, String name) throws IOException {
            return StoreCalls.io(
                    "creating", AppendFilesTest.this.create(DIRECTORY + "/" + name, CrailNodeType.DATAFILE)::asFile);
        }

        @Override
        public void delete(int shuffleId, String name) throws IOException {
            Object ignored = StoreCalls.await("deleting", () -> store.delete(DIRECTORY + "/" + name, false));
        }
    }

    private OutputPlace append(int shuffleId, long mapId, int bytes) throws IOException {
        byte[] output = new byte[bytes];
        Arrays.fill(output, (byte) mapId);
        return files.append(shuffleId, mapId, target -> {
            target.write(output, 0, bytes / 2);
            target.write(output, bytes / 2, bytes - bytes / 2);
        });
    }

    private List<String> names() throws Exception {
        return store.namespace().children(DIRECTORY, "").get().children().stream()
                .map(child -> child.name())
                .toList();
    }

    private void assertHas(OutputPlace place, int bytes) throws Exception {
        byte[] all = store.get(DIRECTORY + "/" + place.file()).get();
        byte[] expected = new byte[bytes];
        Arrays.fill(expected, (byte) place.mapId());
        assertThat(place.bytes()).isEqualTo(bytes);
        assertThat(Arrays.copyOfRange(all, (int) place.begin(), (int) place.begin() + bytes))
                .isEqualTo(expected);
    }

    @Test
    void shouldStoreOneOutputBehindTheOther() throws Exception {
        OutputPlace first = append(1, 7, 1000);
        OutputPlace second = append(1, 8, 200_000);
        OutputPlace third = append(1, 9, 1);
        assertThat(List.of(second.file(), third.file())).containsOnly(first.file());
        assertThat(List.of(first.begin(), second.begin(), third.begin())).containsExactly(0L, 1000L, 201_000L);
        assertHas(first, 1000);
        assertHas(second, 200_000);
        assertHas(third, 1);
    }

    @Test
    void shouldKeepShufflesApart() throws Exception {
        OutputPlace one = append(1, 7, 10);
        assertThat(append(2, 8, 10).file()).isNotEqualTo(one.file());
        assertThat(append(1, 9, 10).file()).isEqualTo(one.file());
    }

    /** Its files are deleted, also that of a task that is late. */
    @Test
    void shouldBeginNewFilesForAShuffleThatBeginsAgain() throws Exception {
        OutputPlace one = append(1, 7, 10);
        OutputPlace other = files.append(1, 8, target -> {
            target.write(1);
            files.end(1);
        });
        assertThat(other.file()).isEqualTo(one.file());
        assertThat(append(1, 9, 10).file()).isNotEqualTo(one.file());
    }

    /** What is behind a failure may be anywhere, so nothing is stored there. */
    @Test
    void shouldGoOnInANewFileWhereOneCannotBeAppendedTo() throws Exception {
        OutputPlace first = append(1, 7, 10);
        CrailOutputStream taken =
                store.lookup(DIRECTORY + "/" + first.file()).get().asFile().openForAppend(0);
        OutputPlace second = append(1, 8, 10);
        assertThat(second.file()).isNotEqualTo(first.file());
        assertHas(second, 10);
        taken.close();
        assertThat(append(1, 9, 10).file()).isNotEqualTo(first.file());
        assertHas(first, 10);
    }

    @Test
    void shouldLeaveNoFileOfAnOutputThatFails() throws Exception {
        assertThatThrownBy(() -> files.append(1, 7, target -> {
                    target.write(1);
                    throw new IOException("to show");
                }))
                .hasMessage("to show");
        assertThat(names()).isEmpty();
    }

    /** A reader may keep a handle of the file for long, and the location of its first block for a lease. */
    @Test
    void shouldKeepAnOutputReadableByAHandleFromBefore() throws Exception {
        OutputPlace first = append(1, 7, 10);
        CrailStore reader = cluster.newStore();
        CrailFile handle = reader.lookup(DIRECTORY + "/" + first.file()).get().asFile();
        for (int mapId = 8; mapId < 30; mapId++) {
            Object ignored = append(1, mapId, 10_000);
            try (CrailBufferedInputStream in = handle.getBufferedInputStream(0)) {
                byte[] read = new byte[10];
                assertThat(in.read(read)).isEqualTo(10);
                assertThat(read).containsOnly(7);
            }
        }
        reader.close();
    }

    @Test
    void shouldGiveEachOfSeveralTasksAFileOfItsOwn() throws Exception {
        List<CompletableFuture<OutputPlace>> appends = new ArrayList<>();
        ExecutorService tasks = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 200; i++) {
            int mapId = i % 100;
            appends.add(CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return append(1, mapId, 1 + mapId * 10);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    },
                    tasks));
        }
        for (CompletableFuture<OutputPlace> each : appends) {
            OutputPlace place = each.get();
            assertHas(place, 1 + (int) place.mapId() * 10);
        }
        tasks.shutdown();
        assertThat(names()).hasSizeBetween(1, 4);
    }

    @Test
    void shouldBeKnownToTheDriver() throws Exception {
        for (OutputPlace place : List.of(
                new OutputPlace(3, 1L << 40, "1099511627776", 0, 1L << 40),
                new OutputPlace(3, 4, "append-a-b-1", 5, 6),
                append(1, 7, 10))) {
            assertThat(OutputPlace.isLocation(place.location("host"))).isTrue();
            assertThat(OutputPlace.of(place.location("host"))).isEqualTo(place);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
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

    private final AppendFiles files = new AppendFiles();
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

    private CrailFile createFile(String name) throws IOException {
        return StoreCalls.io("creating", create(DIRECTORY + "/" + name, CrailNodeType.DATAFILE)::asFile);
    }

    private OutputPlace append(int shuffleId, long mapId, int bytes) throws IOException {
        byte[] output = new byte[bytes];
        Arrays.fill(output, (byte) mapId);
        int half = bytes / 2;
        List<ByteBuffer> parts = List.of(ByteBuffer.wrap(output, 0, half), ByteBuffer.wrap(output, half, bytes - half));
        return files.append(shuffleId, mapId, parts, this::createFile);
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
        files.forget(1);
        assertThat(append(1, 10, 10).file()).isNotEqualTo(one.file());
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
    void shouldTellWhyANewFileCannotBeWritten() {
        assertThatThrownBy(() -> files.append(1, 7, List.of(), name -> {
                    throw new IOException("no " + name);
                }))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("no append-");
    }

    @Test
    void shouldBeKnownToTheDriver() throws Exception {
        for (OutputPlace place : List.of(
                OutputPlace.ofFile(3, 1L << 40), new OutputPlace(3, 4, "append-a-b-1", 5, 6), append(1, 7, 10))) {
            assertThat(OutputPlace.isLocation(place.location("host"))).isTrue();
            assertThat(OutputPlace.of(place.location("host"))).isEqualTo(place);
        }
    }
}

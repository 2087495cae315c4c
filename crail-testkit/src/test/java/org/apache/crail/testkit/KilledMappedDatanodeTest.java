/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeLostException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.StaleBlockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** A datanode process whose memory a client has mapped is killed, and another one takes its port and its directory. */
@Tag("faults")
final class KilledMappedDatanodeTest {
    private static final int BLOCK = 64 * 1024;
    private static final int BLOCKS = 32;
    private static final String REGION_BYTES = "2m";

    @TempDir(factory = InMemory.class)
    Path work;

    private MiniCluster cluster;
    private TestClient client;
    private Process datanode;
    private int port;

    @BeforeEach
    void start() throws Exception {
        cluster = MiniCluster.builder(ClusterKind.MAPPED)
                .with("crail.storage.classes", "2")
                .with("crail.tokenexpiration", Patience.ofMs(1_000))
                .with("crail.storage.keepalive", Patience.ofMs(500)) // no pause of a busy machine is taken for death
                .with("crail.storage.tcp.datapath", work.toString())
                .with("crail.storage.tcp.storagelimit", REGION_BYTES)
                .with("crail.storage.tcp.allocationsize", REGION_BYTES)
                .blocksPerDatanode(BLOCKS)
                .start();
        client = new TestClient(cluster.newStore());
        datanode = ClusterProcess.start(DatanodeProcess.class, cluster, work);
        write("/old", 1);
        port = portOf("/old");
        awaitMapped("/old", 1);
    }

    @AfterEach
    void stop() throws Exception {
        datanode.destroyForcibly().waitFor();
        cluster.close();
    }

    private void startAgain() throws Exception {
        datanode = ClusterProcess.start(DatanodeProcess.class, cluster, work, Integer.toString(port));
    }

    @Test
    void shouldFailReadsOfAKilledDatanodeAndMapTheNextOne() throws Exception {
        datanode.destroyForcibly().waitFor();
        assertLost(failureOfReads("/old"));

        startAgain();

        assertThatThrownBy(() -> client.read("/old")).satisfies(KilledMappedDatanodeTest::assertLost);
        assertMapsTheNextOne();
    }

    /**
     * Nobody has read meanwhile, so the first thing that is asked of the former mapping is to serve a block of the next
     * one.
     */
    @Test
    void shouldNotUseTheFormerMemoryForBlocksOfTheNextDatanode() throws Exception {
        datanode.destroyForcibly().waitFor();

        startAgain();

        assertMapsTheNextOne();
        assertThatThrownBy(() -> client.read("/old")).satisfies(KilledMappedDatanodeTest::assertLost);
    }

    private void assertMapsTheNextOne() throws Exception {
        assertThat(isMapped()).as("has the former file still").isFalse();
        write("/new", 2);
        awaitMapped("/new", 2);
        try (TestClient other = TestClient.open(cluster.configuration())) {
            assertThat(other.read("/new")).isEqualTo(Pattern.of(2, 4 * BLOCK));
        }
        assertThat(portOf("/new")).isEqualTo(port);
        cluster.checkBlocks();
    }

    private void write(String path, int seed) throws Exception {
        TestClient.append(
                TestClient.await(client.store()
                                .create(
                                        path,
                                        CrailNodeType.DATAFILE,
                                        CrailStorageClass.get(1),
                                        CrailLocationClass.DEFAULT,
                                        true))
                        .asFile(),
                Pattern.of(seed, 4 * BLOCK));
    }

    /** The first transfers use a socket, and what they read is right as well. */
    private void awaitMapped(String path, int seed) throws Exception {
        Await.until("the client has mapped the datanode's memory", () -> {
            assertThat(client.read(path)).isEqualTo(Pattern.of(seed, 4 * BLOCK));
            return isMapped();
        });
        assertThat(client.read(path)).isEqualTo(Pattern.of(seed, 4 * BLOCK));
    }

    /**
     * Whether this process maps a file that is there now: the name of one that has been removed is followed by a
     * remark.
     */
    private boolean isMapped() throws Exception {
        String file = "-" + port + "/region-0";
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            return mappings.anyMatch(mapping -> mapping.endsWith(file));
        }
    }

    private int portOf(String path) throws Exception {
        String name = client.lookup(path).getBlockLocations(0, 1)[0].getNames()[0];
        return Integer.parseInt(name.substring(name.lastIndexOf(':') + 1));
    }

    /** Until the client has learnt that the datanode has gone, its memory holds what was written. */
    private CrailException failureOfReads(String path) throws Exception {
        try {
            while (true) {
                Pattern.verify(1, 0, client.read(path));
            }
        } catch (CrailException e) {
            return e;
        }
    }

    private static void assertLost(Throwable failure) {
        assertThat(failure)
                .isInstanceOfAny(
                        DatanodeLostException.class,
                        DatanodeUnreachableException.class,
                        OperationTimeoutException.class,
                        StaleBlockException.class);
    }

    /** Where clients map files. */
    static final class InMemory implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
            return Files.createTempDirectory(Path.of("/dev/shm"), "crail-test");
        }
    }
}

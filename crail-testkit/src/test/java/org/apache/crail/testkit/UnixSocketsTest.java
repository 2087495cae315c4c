/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a cluster of the kind {@link ClusterKind#UNIX} uses its sockets, by the kernel's own list. */
final class UnixSocketsTest {
    private static final Path KERNELS_LIST = Path.of("/proc/net/unix");

    @TempDir
    Path sockets;

    @TempDir
    Path work;

    private MiniCluster start() throws Exception {
        return MiniCluster.builder(ClusterKind.UNIX)
                .with("crail.unixsocketpath", sockets.toString())
                .with("crail.storage.classes", "2")
                .with("crail.storage.tcp.datapath", work.toString())
                .start();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(sockets)) {
            return files.filter(file -> file.toString().endsWith(".sock")).toList();
        }
    }

    /** The socket that listens has the path, and so has each that was accepted from it. */
    private static long open(Path socket) throws IOException {
        try (Stream<String> lines = Files.lines(KERNELS_LIST)) {
            return lines.filter(line -> line.endsWith(socket.toString())).count();
        }
    }

    @Test
    void shouldConnectToEachServerOverItsSocket() throws Exception {
        try (MiniCluster cluster = start()) {
            TestClient client = new TestClient(cluster.newStore());
            client.write("/file", Pattern.of(1, 100_000));
            assertThat(client.read("/file")).isEqualTo(Pattern.of(1, 100_000));
            assertThat(files()).hasSize(2);
            for (Path socket : files()) {
                assertThat(open(socket)).as("ends of %s", socket).isGreaterThan(1);
            }
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void shouldRemoveTheSocketOfAKilledServer() throws Exception {
        try (MiniCluster cluster = start()) {
            List<Path> own = files();
            Process datanode = ClusterProcess.start(DatanodeProcess.class, cluster, work);
            try {
                assertThat(files()).hasSize(own.size() + 1);
            } finally {
                datanode.destroyForcibly().waitFor();
            }
            assertThat(files()).as("left by the killed one").hasSize(own.size() + 1);

            try (MiniCluster other = start()) {
                assertThat(files())
                        .as("of %s too", other)
                        .hasSize(2 * own.size())
                        .containsAll(own);
            }
            assertThat(files()).containsExactlyInAnyOrderElementsOf(own);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.crail.testkit.servers.ServerPlace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tarball as a user has it, with {@code conf/examples/rdma}, the datanodes of its first host. */
@Tag("rdma")
@Timeout(1800) // as many JVMs as there are commands and servers, which start slowly in the lab, more so on a busy
// machine
final class PackagedRdmaTest {
    private static final int LARGE_BYTES = (5 << 20) + 17;

    @TempDir
    private Path work;

    private UnpackedTarball crail;

    @BeforeEach
    void unpack() throws Exception {
        crail = UnpackedTarball.in(work);
        for (String directory : List.of("data", "flash", "cache")) {
            Files.createDirectory(work.resolve(directory));
        }
    }

    /** Lines of a site file that keep files in the work directory, and give a slow machine time. */
    private String limits() {
        return """
                crail.storage.rdma.storagelimit = 32m
                crail.storage.rdma.allocationsize = 16m
                crail.storage.rdma.datapath = %s
                crail.storage.tcp.storagelimit = 16m
                crail.storage.tcp.allocationsize = 16m
                crail.storage.tcp.datapath = %s
                crail.cachepath = %s
                crail.cachelimit = 16m
                crail.regionsize = 8m
                crail.connecttimeout = 60s
                crail.rpctimeout = 60s
                crail.datatimeout = 60s
                """
                .formatted(work.resolve("data"), work.resolve("flash"), work.resolve("cache"));
    }

    @Test
    void shouldStoreFilesOnDatanodesOfTwoTiersAndGiveThemBack() throws Exception {
        assertThat(crail.example("rdma", limits(), Map.of("node1", ServerPlace.testHost())))
                .isEqualTo(3);
        crail.startCluster(3);

        assertThat(crail.report().datanodes())
                .extracting(report -> report.datanode().getStorageClass())
                .containsExactlyInAnyOrder(0, 1);
        StoredFiles files = StoredFiles.in(work, LARGE_BYTES);
        files.put(crail);
        assertThat(crail.run("crail", "fs", "-ls", "/files")).contains("/files/small", "/files/large");
        files.getAndCompare(crail);
        assertThat(crail.run("crail", iobench())).contains("ops 16", "sumbytes 1048576", "bytes by storage class 0: ");
        assertThat(crail.run("crail", "report")).contains("2 live, 0 silent", "RdmaStorageTier");
        crail.stopCluster(3);
        try (Stream<Path> left = Files.list(work.resolve("data"))) {
            assertThat(left.map(Path::getFileName).map(Path::toString)).containsExactly(".crail-lock");
        }
    }

    private static String[] iobench() {
        return "iobench -t readSequential -f /files/large -s 65536 -k 16 -w 1".split(" ");
    }

    @AfterEach
    void endProcesses() throws Exception {
        if (crail != null) {
            crail.close();
        }
    }
}

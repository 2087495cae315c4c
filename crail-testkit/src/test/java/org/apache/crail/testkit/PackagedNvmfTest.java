/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.testkit.servers.ServerPlace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tarball as a user has it, with {@code conf/examples/nvmf}: the target is on the lab's other host, its datanode on
 * this one.
 */
@Tag("nvmf")
@Tag("two-hosts")
@Timeout(1800) // as many JVMs as there are commands and servers
final class PackagedNvmfTest {
    private static final int CLASS_OF_MEMORY_BYTES = 16 << 20;

    @TempDir
    private Path work;

    private UnpackedTarball crail;

    @BeforeEach
    void unpack() throws Exception {
        crail = UnpackedTarball.in(work);
        for (String directory : List.of("data", "cache")) {
            Files.createDirectory(work.resolve(directory));
        }
    }

    @Test
    void shouldStoreFilesOnTheFlashOfAHostThatRunsNothingOfCrail() throws Exception {
        String values =
                """
                crail.storage.tcp.storagelimit = %d
                crail.storage.tcp.allocationsize = 16m
                crail.storage.tcp.datapath = %s
                crail.storage.nvmf.storagelimit = 64m
                crail.storage.nvmf.allocationsize = 64m
                crail.storage.nvmf.connecttimeout = 60s
                crail.storage.nvmf.keepalive = 60s
                crail.cachepath = %s
                crail.cachelimit = 16m
                crail.regionsize = 8m
                crail.connecttimeout = 60s
                crail.rpctimeout = 60s
                crail.datatimeout = 60s
                """
                        .formatted(CLASS_OF_MEMORY_BYTES, work.resolve("data"), work.resolve("cache"));
        Map<String, String> words = Map.of(
                "node1", ServerPlace.testHost(),
                "10.0.0.21", System.getenv("LAB_PEER"),
                "nqn.2017-06.io.crail:cnode", System.getenv("LAB_NQN"));
        assertThat(crail.example("nvmf", values, words)).isEqualTo(3);
        crail.startCluster(3);

        assertThat(flash().datanode().host()).isEqualTo(System.getenv("LAB_PEER"));
        StoredFiles files = StoredFiles.in(work, CLASS_OF_MEMORY_BYTES + (4 << 20) + 17);
        files.put(crail);
        assertThat(flash().freeBlocks()).as("blocks on the target").isLessThanOrEqualTo(flash().blocks() - 4);
        files.getAndCompare(crail);
        crail.stopCluster(3);
    }

    private DatanodeReport flash() throws Exception {
        return crail.report().datanodes().stream()
                .filter(datanode -> datanode.datanode().getStorageClass() == 1)
                .findFirst()
                .orElseThrow();
    }

    @AfterEach
    void endProcesses() throws Exception {
        if (crail != null) {
            crail.close();
        }
    }
}

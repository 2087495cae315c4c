/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailNodeType;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.storage.datanode.Datanode;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.apache.crail.testkit.nvme.NvmeTarget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A namespace with sectors of 4 KiB, in whose directories each entry takes a sector. */
@Tag("nvmf")
final class NvmfLargeSectorsTest {
    private static final int SECTOR = 4096;
    private static final int MEBIBYTES = 16;
    private static final int CLIENTS = 2;
    private static final int FILES = 40;
    private static final int FIRST_BYTES = 1_000;
    private static final int MORE_BYTES = 37;

    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private NvmeTarget target;

    @BeforeEach
    void makeTarget() throws Exception {
        target = NvmeTarget.create(MEBIBYTES, SECTOR);
    }

    @AfterEach
    void removeTarget() throws Exception {
        threads.shutdownNow();
        target.close();
    }

    @Test
    void shouldKeepFilesApartThatTwoClientsWriteAtOnce() throws Exception {
        try (MiniCluster cluster = cluster();
                Datanode datanode = startDatanode(cluster.configuration())) {
            assertThat(datanode.capacityBytes()).isGreaterThan((MEBIBYTES - 1L) << 20);
            TestClient other = new TestClient(cluster.newStore());
            other.create("/d", CrailNodeType.DIRECTORY);
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                TestClient client = new TestClient(cluster.newStore());
                running.add(threads.submit(() -> writeFiles(client, number)));
            }
            for (Future<Void> each : running) {
                each.get(5, TimeUnit.MINUTES);
            }

            List<String> listed = other.list("/d");
            assertThat(listed).hasSize(CLIENTS * FILES);
            for (int client = 0; client < CLIENTS; client++) {
                for (int i = 0; i < FILES; i++) {
                    assertThat(listed).contains(name(client, i));
                    assertThat(other.read("/d/" + name(client, i)))
                            .isEqualTo(Pattern.of(id(client, i), FIRST_BYTES + MORE_BYTES));
                }
            }
            cluster.checkBlocks();
        }
    }

    private static Void writeFiles(TestClient client, int number) throws Exception {
        for (int i = 0; i < FILES; i++) {
            client.write("/d/" + name(number, i), Pattern.of(id(number, i), FIRST_BYTES));
        }
        for (int i = 0; i < FILES; i++) {
            client.append("/d/" + name(number, i), Pattern.of(id(number, i), FIRST_BYTES, MORE_BYTES));
        }
        return null;
    }

    private static String name(int client, int file) {
        return "client" + client + "-" + file;
    }

    private static long id(int client, int file) {
        return (long) client * FILES + file;
    }

    private static MiniCluster cluster() throws Exception {
        return MiniCluster.builder(ClusterKind.NVMF)
                .datanodes(0)
                .with("crail.storage.keepalive", Patience.ofMs(1_000))
                .start();
    }

    private Datanode startDatanode(CrailConfiguration configuration) throws Exception {
        List<String> options = List.of(
                "-a", target.address().getHostString(),
                "-p", Integer.toString(target.address().getPort()),
                "-nqn", target.nqn(),
                "-n", Integer.toString(NvmeTarget.NAMESPACE));
        return Datanode.start(configuration, null, 0, options);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values that share blocks of the second class; {@link SmallValueSuite} counts the blocks of one class. */
@Tag("nvmf")
final class TcpAndNvmfSmallValueTest extends ClusterSuite {
    private static final int CLIENTS = 2;
    private static final int VALUES = 50;
    private static final int VALUE_BYTES = 1_000;
    private static final int PART = 4096;
    private static final CrailStorageClass FLASH = CrailStorageClass.get(1);

    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);

    @Override
    protected ClusterKind kind() {
        return ClusterKind.TCP_AND_NVMF;
    }

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .with("crail.smallblocksize", Integer.toString(PART))
                .with("crail.storage.keepalive", Patience.ofMs(1_000));
    }

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void shouldHoldValuesOfTwoClientsInBlocksOfTheSecondClass() throws Exception {
        client.create("/t", CrailNodeType.TABLE);
        List<Future<Void>> running = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            TestClient own = anotherClient();
            running.add(threads.submit(() -> putAll(own, number)));
        }
        for (Future<Void> each : running) {
            each.get(5, TimeUnit.MINUTES);
        }
        for (int id = 0; id < CLIENTS * VALUES; id++) {
            assertThat(client.read("/t/" + id)).isEqualTo(Pattern.of(id, VALUE_BYTES));
        }
        int least = CLIENTS * VALUES * PART / BLOCK;
        assertThat(blocksInUse(FLASH)).isBetween((long) least, 3L * least);
    }

    private static Void putAll(TestClient own, int number) throws Exception {
        for (int id = number * VALUES; id < (number + 1) * VALUES; id++) {
            TestClient.append(
                    TestClient.await(own.store()
                                    .create(
                                            "/t/" + id,
                                            CrailNodeType.KEYVALUE,
                                            FLASH,
                                            CrailLocationClass.DEFAULT,
                                            false))
                            .asKeyValue(),
                    Pattern.of(id, VALUE_BYTES));
        }
        return null;
    }

    private long blocksInUse(CrailStorageClass storageClass) throws Exception {
        long inUse = 0;
        for (DatanodeReport each : cluster.call(new ReportRequest()).datanodes()) {
            if (each.datanode().getStorageClass() == storageClass.value()) {
                inUse += each.blocks() - each.freeBlocks() - each.pendingBlocks();
            }
        }
        return inUse;
    }
}

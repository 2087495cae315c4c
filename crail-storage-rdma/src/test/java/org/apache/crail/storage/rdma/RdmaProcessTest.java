/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.apache.crail.storage.rdma.TierFixture.BLOCK;
import static org.apache.crail.storage.rdma.TierFixture.await;
import static org.apache.crail.storage.rdma.TierFixture.buffer;
import static org.apache.crail.storage.rdma.TierFixture.failure;
import static org.apache.crail.storage.rdma.TierFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datanodes and clients in processes of their own, which are killed, or may lock little memory. */
@Tag("rdma")
class RdmaProcessTest {
    private static final int MIBI = 1 << 20;
    private static final int IN_FLIGHT = 8;

    /** 256 MiB, block by block. */
    private static final int MANY_TRANSFERS = 256 * MIBI / BLOCK;

    @TempDir
    private Path dataPath;

    private TierFixture fixture;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new TierFixture(dataPath);
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    /** What one-sided means: many times the data take no more time of the datanode's processor. */
    @Test
    void shouldTakeNoProcessorTimeOfTheDatanode() throws Exception {
        try (ChildJvm datanode = ChildJvm.start(List.of(), null, DatanodeMain.class, dataPath.toString())) {
            BlockInfo block = ClientMain.block(datanode.read());
            StorageEndpoint endpoint = fixture.client().createEndpoint(block.getDnInfo());
            CrailBuffer buffer = buffer(BLOCK);
            get(endpoint.write(buffer, block, 0));
            double idle = load(datanode, () -> TimeUnit.SECONDS.sleep(2));
            double busy = load(datanode, () -> {
                for (int i = 0; i < MANY_TRANSFERS; i++) {
                    buffer.clear();
                    get(i % 2 == 0 ? endpoint.read(buffer, block, 0) : endpoint.write(buffer, block, 0));
                }
            });
            assertThat(busy - idle).as("%.3f idle, %.3f busy", idle, busy).isLessThan(0.05);
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    /** How much of a processor the datanode takes while something is done. */
    private static double load(ChildJvm datanode, Work work) throws Exception {
        long startNs = System.nanoTime();
        long before = Long.parseLong(datanode.ask("cpu"));
        work.run();
        return (double) (Long.parseLong(datanode.ask("cpu")) - before) / (System.nanoTime() - startNs);
    }

    @Test
    void shouldFailTransfersOfAKilledDatanode() throws Exception {
        try (ChildJvm datanode = ChildJvm.start(List.of(), null, DatanodeMain.class, dataPath.toString())) {
            BlockInfo block = ClientMain.block(datanode.read());
            StorageEndpoint endpoint = fixture.client().createEndpoint(block.getDnInfo());
            CrailBuffer buffer = buffer(BLOCK);
            get(endpoint.write(buffer, block, 0));
            datanode.kill();
            buffer.clear();
            assertThat(failure(endpoint.read(buffer, block, 0))).isInstanceOf(DatanodeUnreachableException.class);
        }
    }

    /** There are transfers in flight at every moment, so also when the datanode is killed. */
    @Test
    void shouldEndAllTransfersInFlightWhenTheDatanodeIsKilled() throws Exception {
        try (ChildJvm datanode = ChildJvm.start(List.of(), null, DatanodeMain.class, dataPath.toString())) {
            BlockInfo block = ClientMain.block(datanode.read());
            StorageEndpoint endpoint = fixture.client().createEndpoint(block.getDnInfo());
            Deque<CompletableFuture<Integer>> inFlight = new ArrayDeque<>();
            for (int i = 0; i < 2 * IN_FLIGHT; i++) {
                inFlight.add(transfer(endpoint, block, i));
                if (inFlight.size() == IN_FLIGHT) {
                    assertThat(get(inFlight.remove())).isEqualTo(BLOCK);
                }
            }

            datanode.kill();

            Throwable first = ending(inFlight.remove());
            for (int i = 0; first == null; i++) {
                inFlight.add(transfer(endpoint, block, i));
                first = ending(inFlight.remove());
            }
            assertThat(first).isInstanceOf(DatanodeUnreachableException.class);
            for (CompletableFuture<Integer> transfer : inFlight) {
                assertThat(ending(transfer)).isInstanceOf(DatanodeUnreachableException.class);
            }
            assertThat(failure(transfer(endpoint, block, 0))).isInstanceOf(DatanodeUnreachableException.class);
        }
    }

    /** The failure, or null. */
    private static Throwable ending(CompletableFuture<Integer> transfer) throws Exception {
        return transfer.handle((bytes, failure) -> failure).get(90, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Integer> transfer(StorageEndpoint endpoint, BlockInfo block, int number)
            throws Exception {
        CrailBuffer buffer = buffer(BLOCK);
        return number % 2 == 0 ? endpoint.read(buffer, block, 0) : endpoint.write(buffer, block, 0);
    }

    @Test
    void shouldCloseTheConnectionOfAKilledClient() throws Exception {
        fixture.start();
        BlockInfo block = fixture.block(0);
        try (ChildJvm client = ChildJvm.start(List.of(), null, ClientMain.class, "8")) {
            assertThat(client.ask(ClientMain.place(block))).isEqualTo("written");
            await("the datanode knows the client", () -> fixture.server.connections() == 1);
            client.kill();
            await("the datanode has closed its end", () -> fixture.server.connections() == 0);
        }
    }

    /** One process, whose limit rises: for nothing at all, for a datanode, for a client's buffer, for everything. */
    @Test
    void shouldSayThatTheLimitOnLockedMemoryIsTooLow() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/setpriv")), "no setpriv on this machine");
        fixture.start();
        String place = ClientMain.place(fixture.block(0));
        try (ChildJvm process = ChildJvm.start(
                List.of("setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"),
                null,
                ClientMain.class,
                Integer.toString(8 * MIBI),
                dataPath.resolve("other").toString())) {
            String limit = limit(process, 64 * 1024);
            assertThat(process.ask(place)).contains("ConfigurationException").contains(asTooLow(limit));
            assertThat(process.ask(ClientMain.DATANODE))
                    .contains("ConfigurationException")
                    .contains(asTooLow(limit));

            limit = limit(process, TierFixture.REGION);
            assertThat(process.ask(ClientMain.DATANODE))
                    .contains(
                            "ConfigurationException", "the datanode cannot offer " + 2 * TierFixture.REGION + " bytes")
                    .contains(asTooLow(limit))
                    .contains(RdmaTierKeys.STORAGE_LIMIT.name());

            limit = limit(process, 4 * MIBI);
            assertThat(process.ask(place)).contains("BufferExhaustedException").contains(asTooLow(limit));

            process.limitLockedMemory("unlimited");
            assertThat(process.ask(place)).isEqualTo("written");
            assertThat(process.ask(ClientMain.DATANODE)).isEqualTo("started");
        }
    }

    private static String limit(ChildJvm process, int bytes) throws Exception {
        process.limitLockedMemory(Integer.toString(bytes));
        return Integer.toString(bytes);
    }

    /** What a message has to say of a limit. */
    private static String[] asTooLow(String limitBytes) {
        return new String[] {"limit on locked memory", limitBytes + " bytes", "ulimit -l", "LimitMEMLOCK"};
    }
}

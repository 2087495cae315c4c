/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.apache.crail.storage.rdma.TierFixture.BLOCK;
import static org.apache.crail.storage.rdma.TierFixture.await;
import static org.apache.crail.storage.rdma.TierFixture.buffer;
import static org.apache.crail.storage.rdma.TierFixture.bytes;
import static org.apache.crail.storage.rdma.TierFixture.failure;
import static org.apache.crail.storage.rdma.TierFixture.get;
import static org.apache.crail.storage.rdma.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.RdmaCmId;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("rdma")
class RdmaFailureTest {
    private static final int LIKELY_UNUSED_PORT = 9;

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

    /** D25: an error completion fails the transfer, by name, and the endpoint works on. */
    @Test
    void shouldFailATransferWithAWrongKeyAndServeTheNextOne() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        CrailBuffer data = random(new Random(1), BLOCK);
        get(endpoint.write(data, fixture.block(0), 0));
        int wrongKey = fixture.region.key() ^ 0x5500;
        for (boolean isWrite : new boolean[] {false, true}) {
            CrailBuffer attempt = buffer(BLOCK);
            BlockInfo wrong = fixture.block(0, wrongKey);
            assertThat(failure(isWrite ? endpoint.write(attempt, wrong, 0) : endpoint.read(attempt, wrong, 0)))
                    .isInstanceOf(StaleBlockException.class)
                    .hasMessageContaining("IBV_WC_REM_ACCESS_ERR")
                    .hasMessageContaining(isWrite ? "write of" : "read of");
            CrailBuffer copy = buffer(BLOCK);
            get(endpoint.read(copy, fixture.block(0), 0));
            assertThat(bytes(copy, 0, BLOCK)).isEqualTo(bytes(data, 0, BLOCK));
        }
        assertThat(fixture.tier.counters().connections()).isEqualTo(3);
        await("the old connections are gone", () -> fixture.server.connections() == 1);
    }

    @Test
    void shouldFailTransfersOutsideOfARegion() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        BlockInfo behind = new BlockInfo(
                fixture.datanode(), 0, fixture.region.address() + fixture.region.length(), BLOCK, fixture.region.key());
        assertThat(failure(endpoint.read(buffer(1), behind, 0))).isInstanceOf(StaleBlockException.class);
    }

    @Test
    void shouldCompleteAllOthersWhenOneTransferBreaksTheConnection() throws Exception {
        fixture.conf.set(RdmaTierKeys.STORAGE_QUEUE_SIZE, 8);
        StorageEndpoint endpoint = fixture.start().endpoint();
        get(endpoint.write(buffer(BLOCK), fixture.block(0), 0));
        List<CompletableFuture<Integer>> transfers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            BlockInfo block = i == 30 ? fixture.block(0, fixture.region.key() ^ 0x5500) : fixture.block(i % 16);
            transfers.add(endpoint.read(buffer(100), block, 0));
        }
        int succeeded = 0;
        for (int i = 0; i < transfers.size(); i++) {
            try {
                succeeded += get(transfers.get(i)) / 100;
            } catch (ExecutionException e) {
                assertThat(e.getCause())
                        .isInstanceOf(i == 30 ? StaleBlockException.class : DatanodeUnreachableException.class);
            }
        }
        assertThat(succeeded).isBetween(30, 59);
        get(endpoint.read(buffer(100), fixture.block(0), 0));
    }

    @Test
    void shouldFailPendingTransfersWhenTheDatanodeEnds() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        get(endpoint.write(buffer(BLOCK), fixture.block(0), 0));
        CrailBuffer[] targets = new CrailBuffer[40];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = buffer(BLOCK);
        }
        Throwable reason = null;
        Thread closing = new Thread(fixture.server::close);
        closing.start();
        while (reason == null) {
            List<CompletableFuture<Integer>> transfers = new ArrayList<>();
            for (CrailBuffer target : targets) {
                target.clear();
                transfers.add(endpoint.read(target, fixture.block(transfers.size() % 16), 0));
            }
            for (CompletableFuture<Integer> transfer : transfers) {
                Throwable failure = transfer.handle((bytes, thrown) -> thrown).get(90, TimeUnit.SECONDS);
                reason = failure == null ? reason : failure;
            }
        }
        closing.join();
        assertThat(reason).isInstanceOfAny(DatanodeUnreachableException.class, StaleBlockException.class);
        assertThat(failure(endpoint.read(buffer(1), fixture.block(0), 0)))
                .isInstanceOf(DatanodeUnreachableException.class);
    }

    @Test
    void shouldConnectAgainWhenTheDatanodeIsBack() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        get(endpoint.write(buffer(BLOCK), fixture.block(0), 0));
        int port = fixture.server.address().getPort();
        fixture.server.close();
        fixture.conf.set(RdmaTierKeys.STORAGE_PORT, port);
        fixture.start();
        await("the endpoint works again", () -> {
            CompletableFuture<Integer> read;
            try {
                read = endpoint.read(buffer(10), fixture.block(0), 0);
                return read.handle((bytes, failure) -> failure == null).get();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        fixture.start();
        DataNodeInfo nobody = new DataNodeInfo(0, 0, 0, TierFixture.deviceAddress(), LIKELY_UNUSED_PORT);
        StorageEndpoint endpoint = fixture.client().createEndpoint(nobody);
        BlockInfo block = new BlockInfo(nobody, 0, 4096, BLOCK, 1, 1);
        assertThat(failure(endpoint.read(buffer(1), block, 0)))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining(nobody.address())
                .hasMessageContaining("nobody listens there");
    }

    @Test
    void shouldGiveUpConnectingWhereNobodyHasTheAddress() throws Exception {
        String neighbour = TierFixture.deviceAddress().replaceAll("\\d+$", "77");
        assertGivesUpConnecting(new DataNodeInfo(0, 0, 0, neighbour, 1), "");
    }

    @Test
    void shouldGiveUpConnectingToOneThatAcceptsNobody() throws Exception {
        CmChannel channel = CmChannel.open();
        RdmaCmId busy = channel.createId();
        try {
            busy.bindAddr(new InetSocketAddress(TierFixture.deviceAddress(), 0));
            busy.listen(16);
            int port = ((InetSocketAddress) busy.getSource()).getPort();
            assertGivesUpConnecting(new DataNodeInfo(0, 0, 0, TierFixture.deviceAddress(), port), "answer in time");
        } finally {
            busy.destroyId();
            channel.close();
        }
    }

    /** The kernel would try for a minute, and the native library, in whose words it would be told, for 10 s. */
    private void assertGivesUpConnecting(DataNodeInfo datanode, String reason) throws Exception {
        fixture.conf.set(RdmaTierKeys.STORAGE_CONNECT_TIMEOUT.name(), "1s");
        StorageEndpoint endpoint = fixture.client().createEndpoint(datanode);
        long startNs = System.nanoTime();
        assertThat(failure(endpoint.read(buffer(1), new BlockInfo(datanode, 0, 4096, BLOCK, 1, 1), 0)))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining(datanode.address())
                .hasMessageContaining(reason);
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs)).isLessThan(30);
    }

    @Test
    void shouldSayThatAHostHasNoIpv4Address() throws Exception {
        DataNodeInfo modern = new DataNodeInfo(0, 0, 0, "::1", 1);
        StorageEndpoint endpoint = fixture.client().createEndpoint(modern);
        assertThat(failure(endpoint.read(buffer(1), new BlockInfo(modern, 0, 4096, BLOCK, 1, 1), 0)))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("IPv4 only");
    }

    @Test
    void shouldFailTransfersThatWaitForAConnectionWhenTheEndpointIsClosed() throws Exception {
        String neighbour = TierFixture.deviceAddress().replaceAll("\\d+$", "77");
        DataNodeInfo nobody = new DataNodeInfo(0, 0, 0, neighbour, 1);
        StorageEndpoint endpoint = fixture.client().createEndpoint(nobody);
        CompletableFuture<Integer> read = endpoint.read(buffer(1), new BlockInfo(nobody, 0, 4096, BLOCK, 1, 1), 0);
        endpoint.close();
        assertThat(failure(read)).isInstanceOfAny(ClosedException.class, DatanodeUnreachableException.class);
    }

    @Test
    void shouldSayThatAPortIsInUse() throws Exception {
        fixture.start();
        InetSocketAddress taken = fixture.server.address();
        fixture.conf.set(RdmaTierKeys.STORAGE_PORT, taken.getPort());
        assertThatThrownBy(() -> fixture.start())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(":" + taken.getPort())
                .hasMessageContaining("in use");
        fixture.conf.set(RdmaTierKeys.STORAGE_PORT, 0);
    }

    @Test
    void shouldSayThatAnAddressBelongsToNoDevice() {
        fixture.conf.set(org.apache.crail.conf.CrailKeys.DATANODE_BIND, "192.0.2.1");
        assertThatThrownBy(() -> fixture.start())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("192.0.2.1")
                .hasMessageContaining("crail.storage.rdma.interface");
    }
}

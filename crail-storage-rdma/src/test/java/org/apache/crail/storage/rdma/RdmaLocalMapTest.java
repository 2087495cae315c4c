/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.apache.crail.storage.rdma.TierFixture.BLOCK;
import static org.apache.crail.storage.rdma.TierFixture.REGION;
import static org.apache.crail.storage.rdma.TierFixture.buffer;
import static org.apache.crail.storage.rdma.TierFixture.bytes;
import static org.apache.crail.storage.rdma.TierFixture.failure;
import static org.apache.crail.storage.rdma.TierFixture.get;
import static org.apache.crail.storage.rdma.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** A client and a datanode on one host, whose files the client may map. */
@Tag("rdma")
class RdmaLocalMapTest {
    /** Where the head of a fence file has its token, and the key of the proof. */
    private static final int TOKEN = 8;

    private static final int PROOF_KEY = 80;

    @TempDir(factory = InMemory.class)
    private Path dataPath;

    private TierFixture fixture;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new TierFixture(dataPath);
        fixture.conf.set(RdmaTierKeys.STORAGE_LOCAL_MAP, true);
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    private void awaitMapped(StorageEndpoint endpoint) throws Exception {
        TierFixture.awaitMapped(endpoint, fixture.block(0), buffer(8));
    }

    private Path file(String name) {
        return fixture.server.directory().path().resolve(name);
    }

    @Test
    void shouldPostNoWorkRequestForMappedTransfers() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        awaitMapped(endpoint);
        long workRequests = fixture.tier.counters().workRequests();
        long registrations = fixture.tier.counters().registrations();
        CrailBuffer[] written = new CrailBuffer[8];
        for (int i = 0; i < written.length; i++) {
            written[i] = random(new Random(i), BLOCK);
            assertThat(endpoint.write(written[i], fixture.block(i), 0)).isCompletedWithValue(BLOCK);
        }
        for (int i = 0; i < written.length; i++) {
            CrailBuffer read = buffer(1000);
            assertThat(endpoint.read(read, fixture.block(i), BLOCK - 1000)).isCompletedWithValue(1000);
            assertThat(read.position()).isEqualTo(1000);
            assertThat(bytes(read, 0, 1000)).isEqualTo(bytes(written[i], BLOCK - 1000, BLOCK));
        }
        assertThat(fixture.tier.counters().workRequests()).isEqualTo(workRequests);
        assertThat(fixture.tier.counters().registrations()).isEqualTo(registrations);
        assertThat(fixture.tier.counters().connections()).isEqualTo(1);
    }

    /** A location that is not valid any more ends a connection; that may happen often. */
    @Test
    void shouldRegisterNothingMoreWhenItConnectsAnew() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        BlockInfo stale = fixture.block(0, fixture.region.key() ^ 1);
        CrailBuffer buffer = buffer(8);
        TierFixture.awaitMapped(endpoint, fixture.block(0), buffer);
        assertThat(failure(endpoint.read(buffer.clear(), stale, 0))).isInstanceOf(StaleBlockException.class);
        long registrations = fixture.tier.counters().registrations();
        for (int i = 0; i < 3; i++) {
            TierFixture.awaitMapped(endpoint, fixture.block(0), buffer);
            assertThat(failure(endpoint.read(buffer.clear(), stale, 0))).isInstanceOf(StaleBlockException.class);
        }
        assertThat(fixture.tier.counters().connections()).isEqualTo(1 + 3);
        assertThat(fixture.tier.counters().registrations()).isEqualTo(registrations);
    }

    @Test
    void shouldSeeWhatOthersMoveThroughTheDevice() throws Exception {
        StorageEndpoint mapped = fixture.start().endpoint();
        awaitMapped(mapped);
        fixture.conf.set(RdmaTierKeys.STORAGE_LOCAL_MAP, false);
        StorageEndpoint remote = fixture.endpoint();
        CrailBuffer data = random(new Random(3), BLOCK);
        CrailBuffer copy = buffer(BLOCK);
        get(mapped.write(data, fixture.block(2), 0));
        get(remote.read(copy, fixture.block(2), 0));
        assertThat(bytes(copy, 0, BLOCK)).isEqualTo(bytes(data, 0, BLOCK));

        get(remote.write(random(new Random(4), BLOCK), fixture.block(2), 0));
        get(mapped.read(copy.clear(), fixture.block(2), 0));
        assertThat(bytes(copy, 0, BLOCK)).isEqualTo(bytes(random(new Random(4), BLOCK), 0, BLOCK));
        assertThat(remote.isLocal()).isFalse();
    }

    /** The file of a fence as another datanode would have it. */
    private void changeFence(int position) throws IOException {
        byte[] fence = Files.readAllBytes(file("region-0.fence"));
        fence[position] ^= 1;
        Path changed = Files.write(file("changed"), fence);
        Files.move(changed, file("region-0.fence"), StandardCopyOption.REPLACE_EXISTING);
    }

    private void assertUsesTheDevice(StorageEndpoint endpoint) throws Exception {
        CrailBuffer data = random(new Random(3), BLOCK);
        CrailBuffer copy = buffer(BLOCK);
        get(endpoint.write(data, fixture.block(2), 0));
        get(endpoint.read(copy, fixture.block(2), 0));
        assertThat(bytes(copy, 0, BLOCK)).isEqualTo(bytes(data, 0, BLOCK));
        assertThat(endpoint.isLocal()).isFalse();
    }

    @Test
    void shouldUseTheDeviceWhenTheDatanodesMemoryHoldsAnotherToken() throws Exception {
        fixture.start();
        changeFence(TOKEN);
        assertUsesTheDevice(fixture.endpoint());
        assertThat(fixture.tier.counters().connections()).isEqualTo(1);
        assertThat(fixture.tier.counters().workRequests())
                .as("proof, write and read")
                .isEqualTo(1 + 2 + 1);
    }

    /** The device ends a connection over which it is asked for memory that the datanode does not offer. */
    @Test
    void shouldConnectAnewWhenTheProofCannotBeRead() throws Exception {
        fixture.start();
        changeFence(PROOF_KEY);
        RdmaStorageClient client = fixture.client();
        assertUsesTheDevice(client.createEndpoint(fixture.datanode()));
        assertThat(fixture.tier.counters().connections()).isEqualTo(2);
        assertUsesTheDevice(client.createEndpoint(fixture.datanode()));
        assertThat(fixture.tier.counters().connections())
                .as("what was disproved is not tried again")
                .isEqualTo(3);
    }

    @Test
    void shouldUseTheDeviceWhereThereIsNoFence() throws Exception {
        fixture.start();
        Files.delete(file("region-0.fence"));
        assertUsesTheDevice(fixture.endpoint());
        assertThat(fixture.tier.counters().workRequests()).as("write and read").isEqualTo(2 + 1);
    }

    @Test
    void shouldShareNothingWhenItIsSwitchedOff() throws Exception {
        fixture.conf.set(RdmaTierKeys.STORAGE_LOCAL_MAP, false);
        fixture.start();
        assertThat(file("region-0")).exists();
        assertThat(file("region-0.fence")).doesNotExist();
        assertThat(fixture.server.registeredRegions()).isEqualTo(1);
        fixture.conf.set(RdmaTierKeys.STORAGE_LOCAL_MAP, true);
        assertUsesTheDevice(fixture.endpoint());
    }

    @Test
    void shouldMapTheMemoryOfTheNextDatanodeAndNotThatOfTheFormerOne() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        fixture.conf.set(RdmaTierKeys.STORAGE_PORT, fixture.server.address().getPort());
        awaitMapped(endpoint);
        get(endpoint.write(random(new Random(5), BLOCK), fixture.block(2), 0));
        fixture.server.close();
        fixture.start();
        assertThat(read(endpoint, fixture.block(2))).containsOnly(0);
        awaitMapped(endpoint);
        assertThat(read(endpoint, fixture.block(2))).containsOnly(0);
    }

    @Test
    void shouldMapTheMemoryThatADatanodeHasKept() throws Exception {
        fixture.conf.set(RdmaTierKeys.STORAGE_PERSISTENT, true);
        StorageEndpoint endpoint = fixture.start().endpoint();
        fixture.conf.set(RdmaTierKeys.STORAGE_PORT, fixture.server.address().getPort());
        awaitMapped(endpoint);
        CrailBuffer data = random(new Random(5), BLOCK);
        get(endpoint.write(data, fixture.block(2), 0));
        fixture.server.close();
        fixture.start();
        assertThat(read(endpoint, fixture.block(2))).isEqualTo(bytes(data, 0, BLOCK));
        awaitMapped(endpoint);
        assertThat(read(endpoint, fixture.block(2))).isEqualTo(bytes(data, 0, BLOCK));
    }

    /**
     * It has not said that it ends, and leaves the fences of two regions, of which the next one makes the first one
     * only.
     */
    @Test
    void shouldMapTheMemoryThatAKilledDatanodeHasLeft() throws Exception {
        CrailBuffer data = random(new Random(5), BLOCK);
        StorageEndpoint endpoint;
        try (ChildJvm datanode = ChildJvm.start(
                List.of(),
                null,
                DatanodeMain.class,
                dataPath.toString(),
                RdmaTierKeys.STORAGE_LOCAL_MAP.name() + "=true",
                RdmaTierKeys.STORAGE_PERSISTENT.name() + "=true")) {
            BlockInfo block = ClientMain.block(datanode.read());
            BlockInfo second = ClientMain.block(datanode.ask("allocate"));
            fixture.conf.set(RdmaTierKeys.STORAGE_PORT, block.getDnInfo().getPort());
            endpoint = fixture.client().createEndpoint(block.getDnInfo());
            TierFixture.awaitMapped(endpoint, block, buffer(8));
            get(endpoint.write(data, block, 0));
            get(endpoint.write(data.clear(), second, 0));
            datanode.kill();
            awaitUnreachable(endpoint, block);
        }
        fixture.conf.set(RdmaTierKeys.STORAGE_PERSISTENT, true);
        fixture.start();
        assertThat(file("region-1")).exists();
        assertThat(file("region-1.fence")).doesNotExist();
        assertThat(read(endpoint, fixture.block(0))).isEqualTo(bytes(data, 0, BLOCK));
        awaitMapped(endpoint);
        assertThat(read(endpoint, fixture.block(0))).isEqualTo(bytes(data, 0, BLOCK));
    }

    /** What it offers, and a page for the proof. */
    @Test
    void shouldShareAllRegionsWhenItMayLockJustEnoughMemory() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/setpriv")), "no setpriv on this machine");
        try (ChildJvm tooLow = datanode(2 * REGION)) {
            assertThatThrownBy(tooLow::read).hasMessageContaining("has ended");
        }
        try (ChildJvm datanode = datanode(2 * REGION + OfferedRegions.PROOF_LOCKED_BYTES)) {
            BlockInfo block = ClientMain.block(datanode.read());
            BlockInfo second = ClientMain.block(datanode.ask("allocate"));
            StorageEndpoint endpoint = fixture.client().createEndpoint(block.getDnInfo());
            TierFixture.awaitMapped(endpoint, block, buffer(8));
            get(endpoint.write(random(new Random(5), BLOCK), second, 0));
        }
    }

    private ChildJvm datanode(int lockedBytes) throws IOException {
        return ChildJvm.start(
                List.of(
                        "setpriv",
                        "--bounding-set=-ipc_lock",
                        "--inh-caps=-ipc_lock",
                        "prlimit",
                        "--memlock=" + lockedBytes),
                null,
                DatanodeMain.class,
                dataPath.toString(),
                RdmaTierKeys.STORAGE_LOCAL_MAP.name() + "=true");
    }

    /** Copies tell nobody that the datanode is gone; the connection does. */
    private static void awaitUnreachable(StorageEndpoint endpoint, BlockInfo block) throws Exception {
        CrailBuffer buffer = buffer(8);
        long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        Throwable failure = null;
        while (failure == null) {
            assertThat(System.nanoTime() - deadlineNs)
                    .as("time until it is known that the datanode is gone")
                    .isNegative();
            failure = endpoint.read(buffer.clear(), block, 0)
                    .handle((bytes, thrown) -> thrown)
                    .get(90, TimeUnit.SECONDS);
        }
        assertThat(failure).isInstanceOf(DatanodeUnreachableException.class);
    }

    /** Reads a block; transfers fail until the end of the former connection has been noticed. */
    private static byte[] read(StorageEndpoint endpoint, BlockInfo block) throws Exception {
        CrailBuffer buffer = random(new Random(9), BLOCK);
        long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try {
                get(endpoint.read(buffer.clear(), block, 0));
                return bytes(buffer, 0, BLOCK);
            } catch (ExecutionException e) {
                assertThat(System.nanoTime() - deadlineNs)
                        .as("time until the datanode is reached")
                        .isNegative();
            }
        }
    }

    /** Where regions can be shared. */
    static final class InMemory implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
            return Files.createTempDirectory(Path.of("/dev/shm").toRealPath(), "crail-test");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.local.block.LocalClaim;
import org.apache.crail.local.block.LocalOffer;
import org.apache.crail.local.block.RegionName;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.device.DeviceLoop;
import org.apache.crail.storage.device.DirectSession;
import org.apache.crail.storage.file.DataDirectory;
import org.apache.crail.storage.file.MemoryTierSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a device may answer that is asked for the proof; {@link RdmaLocalMapTest} has a real one. */
class LocalProofsTest {
    private static final DataNodeInfo DATANODE = new DataNodeInfo(0, 0, 0, "192.0.2.1", 1);
    private static final LocalClaim CLAIM =
            new LocalClaim(new LocalOffer(Path.of("/nowhere"), new UUID(1, 2)), 4096, 7);
    private static final int TIMEOUT_MS = 50;
    private static final int BLOCK = 4096;
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 50020);

    @TempDir(factory = RdmaLocalMapTest.InMemory.class)
    private Path localPath;

    private LocalProofs proofs;

    private final FakeEvents events = new FakeEvents();
    private final FakeQueue queue = new FakeQueue(events);
    private final DeviceLoop loop = new DeviceLoop("test-completions", events, false, () -> {});
    private final LinkSession session = new LinkSession(queue, 4, loop, new RdmaCounters(), new Nobody());

    private static final class Nobody implements DirectSession.Listener {
        @Override
        public void onEnd(DirectSession<?> ended, CrailException reason) {}

        @Override
        public CrailException unreachable(String why, Throwable cause) {
            return new DatanodeUnreachableException(why, cause);
        }

        @Override
        public CrailException endedByLate() {
            return new DatanodeUnreachableException("late", null);
        }
    }

    @BeforeEach
    void makeProofs() {
        proofs = new LocalProofs(localPath);
    }

    @AfterEach
    void stop() {
        loop.close(new ClosedException("the test is over"));
    }

    private boolean isTrue(LocalClaim claim, long timeoutMs) throws IOException {
        return proofs.isTrue(claim, DATANODE, session, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs));
    }

    @Test
    void shouldKeepTheConnectionWhenOtherBytesAreThere() throws Exception {
        queue.completeAtPost(WorkStatus.SUCCESS);
        assertThat(isTrue(CLAIM, 60_000)).isFalse();
        assertThat(session.hasEnded()).isFalse();
        RdmaTransfer read = queue.posted.get(0);
        assertThat(read.remoteAddress()).isEqualTo(CLAIM.address());
        assertThat(read.range().block().getLkey()).isEqualTo(CLAIM.key());
        assertThat(read.range().isWrite()).isFalse();
    }

    /** Devices differ in what they say of a key that is not the datanode's. */
    @ParameterizedTest
    @ValueSource(ints = {WorkStatus.REMOTE_ACCESS, WorkStatus.FLUSHED, WorkStatus.RETRIES_EXCEEDED})
    void shouldTakeARefusalForNoProof(int status) throws Exception {
        queue.completeAtPost(status);
        assertThat(isTrue(CLAIM, 60_000)).isFalse();
        assertThat(session.hasEnded()).isTrue();
    }

    /** The device may still write to the buffer before that. */
    @Test
    void shouldDestroyTheQueueWhenThereIsNoAnswer() throws Exception {
        assertThat(isTrue(CLAIM, TIMEOUT_MS)).isFalse();
        assertThat(queue.destroyed).isTrue();
        assertThat(session.hasEnded()).isTrue();
    }

    /** As it happens when the limit on locked memory has been reached; what is registered can be used still. */
    @Test
    void shouldKeepTheConnectionWhenNoMoreMemoryCanBeRegistered() throws Exception {
        queue.keyFailure = new BufferExhaustedException("no more memory can be registered");
        assertThat(isTrue(CLAIM, 60_000)).isFalse();
        assertThat(session.hasEnded()).isFalse();
    }

    @Test
    void shouldTakeNothingForProvedWhenTheSessionHasEnded() throws Exception {
        session.end(new DatanodeUnreachableException("gone", null));
        assertThat(isTrue(CLAIM, 60_000)).isFalse();
    }

    @Test
    void shouldReadAllProofsIntoOneBufferOneAfterTheOther() throws Exception {
        queue.completeAtPost(WorkStatus.SUCCESS);
        isTrue(CLAIM, 60_000);
        isTrue(CLAIM, 60_000);
        assertThat(queue.posted.get(1).range().buffer())
                .isSameAs(queue.posted.get(0).range().buffer());
    }

    /** A datanode's files on this host, and a device that does not give what they say. */
    @ParameterizedTest
    @ValueSource(ints = {WorkStatus.SUCCESS, WorkStatus.REMOTE_ACCESS, WorkStatus.FLUSHED, WorkStatus.RETRIES_EXCEEDED})
    void shouldNotTryAgainWhatFailed(int status) throws Exception {
        try (DataDirectory directory = share()) {
            List<LocalClaim> claims = proofs.claims(ADDRESS);
            assertThat(claims).extracting(LocalClaim::key).containsExactly(7);
            queue.completeAtPost(status);
            assertThat(isTrue(claims.get(0), 60_000)).isFalse();
            assertThat(proofs.claims(ADDRESS)).isEmpty();
            assertThat(directory.path()).exists();
        }
    }

    private DataDirectory share() throws IOException {
        MemoryTierSettings settings =
                new MemoryTierSettings(RdmaDatanodeSettings.KEYS, ADDRESS, localPath, BLOCK, BLOCK, BLOCK);
        DataDirectory directory = settings.claimDirectory(ADDRESS);
        directory.shareRegion(directory.createRegion(BLOCK, BLOCK), 0, new RegionName(1, 0, 4096, 7));
        return directory;
    }

    @Test
    void shouldLookForNothingWhenItIsSwitchedOff() throws Exception {
        try (DataDirectory directory = share()) {
            assertThat(new LocalProofs(null).claims(ADDRESS)).isEmpty();
            assertThat(directory.path()).exists();
        }
    }
}

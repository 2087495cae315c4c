/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.direct.CompletionLoop;
import org.apache.crail.storage.direct.DirectSession;
import org.apache.crail.storage.direct.TransferLimits;
import org.apache.crail.storage.memory.LocalClaim;
import org.apache.crail.storage.memory.LocalOffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a device may answer that is asked for the proof; {@link RdmaLocalMapTest} has a real one. */
class LocalProofsTest {
    private static final DataNodeInfo DATANODE = new DataNodeInfo(0, 0, 0, "192.0.2.1", 1);
    private static final LocalClaim CLAIM =
            new LocalClaim(new LocalOffer(Path.of("/nowhere"), new UUID(1, 2)), 4096, 7);
    private static final int TIMEOUT_MS = 50;

    private final FakeEvents events = new FakeEvents();
    private final FakeQueue queue = new FakeQueue(events);
    private final CompletionLoop loop = new CompletionLoop("test-completions", events, false, () -> {});
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

    @AfterEach
    void stop() {
        loop.close(new ClosedException("the test is over"));
    }

    private static LocalProofs proofs(int timeoutMs, Path localPath) {
        return new LocalProofs(new ClientSettings(4, false, timeoutMs, new TransferLimits(60_000, 60_000), localPath));
    }

    private boolean isTrue(int timeoutMs) throws IOException {
        return proofs(timeoutMs, Path.of("/nowhere")).isTrue(CLAIM, DATANODE, session);
    }

    @Test
    void shouldKeepTheConnectionWhenOtherBytesAreThere() throws Exception {
        queue.completeAtPost(WorkStatus.SUCCESS);
        assertThat(isTrue(60_000)).isFalse();
        assertThat(session.hasEnded()).isFalse();
        RdmaTransfer read = queue.posted.get(0);
        assertThat(read.remoteAddress()).isEqualTo(CLAIM.address());
        assertThat(read.range().block().getLkey()).isEqualTo(CLAIM.key());
        assertThat(read.range().isWrite()).isFalse();
    }

    @Test
    void shouldTakeARefusalForNoProof() throws Exception {
        queue.completeAtPost(WorkStatus.REMOTE_ACCESS);
        assertThat(isTrue(60_000)).isFalse();
        assertThat(session.hasEnded()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {WorkStatus.FLUSHED, WorkStatus.RETRIES_EXCEEDED})
    void shouldFailToConnectWhenTheConnectionBreaks(int status) {
        queue.completeAtPost(status);
        assertThatThrownBy(() -> isTrue(60_000)).isInstanceOf(IOException.class).hasMessageContaining("a first read");
        assertThat(session.hasEnded()).isTrue();
    }

    /** The device may still write to the buffer before that. */
    @Test
    void shouldDestroyTheQueueWhenThereIsNoAnswer() {
        assertThatThrownBy(() -> isTrue(TIMEOUT_MS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in time");
        assertThat(queue.destroyed).isTrue();
        assertThat(session.hasEnded()).isTrue();
    }

    @Test
    void shouldFailToConnectWhenTheSessionHasEnded() {
        session.end(new DatanodeUnreachableException("gone", null));
        assertThatThrownBy(() -> isTrue(60_000)).isInstanceOf(IOException.class).hasMessageContaining("ended");
    }

    @Test
    void shouldLookForNothingWhenItIsSwitchedOff() throws Exception {
        assertThat(proofs(1, null).open(new DataNodeInfo(0, 0, 0, "no such host", 1)))
                .isEmpty();
    }
}

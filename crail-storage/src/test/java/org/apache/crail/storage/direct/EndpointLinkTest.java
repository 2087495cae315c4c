/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.memory.LocalOffer;
import org.apache.crail.storage.memory.LocalRegions;
import org.junit.jupiter.api.Test;

class EndpointLinkTest {
    private static final DataNodeInfo DATANODE = new DataNodeInfo(0, 0, 0, new byte[] {127, 0, 0, 1}, 4420);
    private static final long LIMIT_MS = 1_000;

    private static EndpointLink<DirectTransfer> link(TransferLimits limits) {
        return new EndpointLink<>(DATANODE, "test", limits, (datanode, listener) -> null, Runnable::run);
    }

    /** Ends the first transfer at once; the second begins while the time limits are looked at, and never ends. */
    private static final class SlowSession implements DirectSession<DirectTransfer> {
        private final AtomicBoolean isFirst = new AtomicBoolean(true);
        private final CountDownLatch lookedAt = new CountDownLatch(1);
        private volatile DirectTransfer begun;
        private volatile String sweeper;

        @Override
        public boolean submit(DirectTransfer transfer) {
            if (isFirst.compareAndSet(true, false)) {
                transfer.succeed();
                return true;
            }
            try {
                lookedAt.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            begun = transfer;
            return true;
        }

        @Override
        public List<DirectTransfer> takeLate(long nowNs) {
            sweeper = Thread.currentThread().getName();
            DirectTransfer late = begun;
            return late != null && late.isLate(nowNs) ? List.of(late) : List.of();
        }

        @Override
        public boolean isBusy() {
            boolean busy = begun != null;
            lookedAt.countDown();
            return busy;
        }

        @Override
        public boolean isIdleSince(long beforeNs) {
            return false;
        }

        @Override
        public boolean hasEnded() {
            return false;
        }

        @Override
        public void endIfDisconnected() {}

        @Override
        public void end(CrailException reason) {}
    }

    private static DirectTransfer transfer() {
        BlockInfo block = new BlockInfo(DATANODE, 0, 4096, 64 * 1024, 7, 1);
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LIMIT_MS);
        return new DirectTransfer(new DirectTransfer.Range(false, block, 0, null, 0, 8, deadlineNs));
    }

    /** The one timer of the process must not wait for a device, nor for what programs do when a transfer fails. */
    @Test
    void shouldFailALateTransferThatBeganWhileOthersWereLookedAt() {
        SlowSession session = new SlowSession();
        EndpointLink<DirectTransfer> link = new EndpointLink<>(
                DATANODE, "test", new TransferLimits(LIMIT_MS, 10_000), (datanode, listener) -> session, Runnable::run);
        link.submit(transfer());
        DirectTransfer late = transfer();
        link.submit(late);
        assertThatThrownBy(() -> late.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(OperationTimeoutException.class);
        assertThat(session.sweeper).startsWith("crail-background");
        link.close();
    }

    /** A session of a datanode on this host, whose end nobody tells. */
    private static final class LocalSession implements DirectSession<DirectTransfer> {
        private final LocalRegions regions = new LocalRegions(new LocalOffer(Path.of("/nowhere"), new UUID(1, 2)));
        private volatile boolean disconnected;
        private volatile boolean ended;

        @Override
        public boolean submit(DirectTransfer transfer) {
            transfer.succeed();
            return true;
        }

        @Override
        public List<DirectTransfer> takeLate(long nowNs) {
            return List.of();
        }

        @Override
        public boolean isBusy() {
            return false;
        }

        @Override
        public boolean isIdleSince(long beforeNs) {
            return false;
        }

        @Override
        public boolean hasEnded() {
            return ended;
        }

        @Override
        public LocalRegions localRegions() {
            return regions;
        }

        @Override
        public void endIfDisconnected() {
            ended = disconnected;
        }

        @Override
        public void end(CrailException reason) {}
    }

    @Test
    void shouldGiveMappedMemoryUpWhenTheDatanodeIsGoneThoughNothingIsSent() {
        LocalSession session = new LocalSession();
        EndpointLink<DirectTransfer> link = new EndpointLink<>(
                DATANODE, "test", new TransferLimits(LIMIT_MS, 10_000), (datanode, listener) -> session, Runnable::run);
        assertThat(link.localRegions()).as("without a connection").isNull();
        link.submit(transfer());
        assertThat(link.localRegions()).isSameAs(session.regions);
        session.disconnected = true;
        while (link.localRegions() != null) {
            Thread.onSpinWait();
        }
        link.close();
    }

    /** A transfer that had the bad luck of another's company is worth another attempt. */
    @Test
    void shouldTellThatALocationIsToBeAskedForAgainWhenALeaseEndedAConnection() {
        assertThat(link(new TransferLimits(10_000, 1_000)).endedByLate())
                .isInstanceOf(StaleBlockException.class)
                .hasMessageContaining("ask the namenode for the location again");
    }

    @Test
    void shouldTellThatTheDatanodeDoesNotAnswerWhenTheTimeLimitEndedAConnection() {
        assertThat(link(new TransferLimits(1_000, 10_000)).endedByLate())
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("did not answer another transfer in time");
    }
}

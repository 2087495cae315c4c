/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.local.block.LocalOffer;
import org.apache.crail.local.block.TestBlocks;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.junit.jupiter.api.Test;

class DeviceLinkTest {
    private static final DataNodeInfo DATANODE = new DataNodeInfo(0, 0, 0, new byte[] {127, 0, 0, 1}, 4420);
    private static final long LIMIT_MS = 1_000;
    private static final TransferLimits AMPLE = new TransferLimits(60_000, 600_000);

    private static DeviceLink<DirectTransfer> link(TransferLimits limits) {
        return new DeviceLink<>(DATANODE, "test", limits, (datanode, listener) -> null, Runnable::run);
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
        return transfer(LIMIT_MS);
    }

    private static DirectTransfer transfer(long limitMs) {
        BlockInfo block = new BlockInfo(DATANODE, 0, 4096, 64 * 1024, 7, 1);
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs);
        return new DirectTransfer(new DirectTransfer.Range(false, block, 0, null, 0, 8, deadlineNs));
    }

    /** The one timer of the process must not wait for a device, nor for what programs do when a transfer fails. */
    @Test
    void shouldFailALateTransferThatBeganWhileOthersWereLookedAt() {
        SlowSession session = new SlowSession();
        DeviceLink<DirectTransfer> link = new DeviceLink<>(
                DATANODE, "test", new TransferLimits(LIMIT_MS, 10_000), (datanode, listener) -> session, Runnable::run);
        link.submit(transfer());
        DirectTransfer late = transfer();
        link.submit(late);
        assertThatThrownBy(() -> late.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(OperationTimeoutException.class);
        assertThat(session.sweeper).startsWith("crail-background");
        link.close();
    }

    @Test
    void shouldFailTransfersTypedWhileNoThreadCanBeHadAndConnectWhenOneCan() throws Exception {
        AtomicBoolean isPoor = new AtomicBoolean(true);
        LocalSession session = new LocalSession(null);
        DeviceLink<DirectTransfer> link =
                new DeviceLink<>(DATANODE, "test", AMPLE, (datanode, listener) -> session, task -> {
                    if (isPoor.get()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                });
        for (int i = 0; i < 2; i++) {
            DirectTransfer transfer = transfer(60_000);
            link.submit(transfer);
            assertThatThrownBy(() -> transfer.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(DatanodeUnreachableException.class)
                    .hasMessageContaining("no thread");
        }

        isPoor.set(false);
        DirectTransfer transfer = transfer(60_000);
        link.submit(transfer);

        assertThat(transfer.get(30, TimeUnit.SECONDS)).isNotNull();
        link.close();
    }

    /** A session of a datanode on this host, whose end nobody tells. */
    private static final class LocalSession implements DirectSession<DirectTransfer> {
        private final LocalOffer memory;
        private volatile Runnable look = () -> {};
        private volatile boolean disconnected;
        private volatile boolean ended;

        LocalSession(LocalOffer memory) {
            this.memory = memory;
        }

        @Override
        public boolean submit(DirectTransfer transfer) {
            if (ended) {
                return false;
            }
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
        public LocalOffer localMemory() {
            return memory;
        }

        @Override
        public void endIfDisconnected() {
            look.run();
            ended = disconnected;
        }

        @Override
        public void end(CrailException reason) {}
    }

    private static LocalOffer offer(long start) {
        return new LocalOffer(Path.of("/nowhere"), new UUID(1, start));
    }

    /** Makes sessions one after the other. */
    private static DeviceLink<DirectTransfer> link(LocalSession... sessions) {
        Iterator<LocalSession> next = List.of(sessions).iterator();
        return new DeviceLink<>(DATANODE, "test", AMPLE, (datanode, listener) -> next.next(), Runnable::run);
    }

    /** A transfer that begins so many seconds from now. */
    private static DirectTransfer begunIn(int seconds) {
        return transfer(TimeUnit.SECONDS.toMillis(seconds) + AMPLE.limitMs());
    }

    @Test
    void shouldGiveMappedMemoryUpWhenTheDatanodeIsGoneThoughNothingIsSent() {
        LocalSession session = new LocalSession(offer(1));
        DeviceLink<DirectTransfer> link = link(session);
        assertThat(link.mayCopy()).as("without a connection").isFalse();
        link.submit(begunIn(0));
        assertThat(link.mayCopy(begunIn(1))).isTrue();
        assertThat(TestBlocks.regions(link.mapped())).isNotNull();
        session.disconnected = true;
        assertThat(link.mayCopy()).as("no transfer, no look").isTrue();
        assertThat(link.mayCopy(begunIn(2))).isFalse();
        assertThat(link.mayCopy()).isFalse();
        link.close();
    }

    /** The one that looks may be stopped for any time before it sees that the datanode has gone. */
    @Test
    void shouldTakeNoLookForDoneThatAnotherThreadHasBegun() throws Exception {
        LocalSession session = new LocalSession(offer(1));
        DeviceLink<DirectTransfer> link = link(session);
        link.submit(begunIn(0));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch seen = new CountDownLatch(1);
        session.look = () -> {
            session.look = () -> {};
            begun.countDown();
            awaitQuietly(seen);
        };
        FutureTask<Boolean> slow = new FutureTask<>(() -> link.mayCopy(begunIn(1)));
        new Thread(slow, "slow look").start();
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        session.disconnected = true;
        try {
            assertThat(link.mayCopy(begunIn(1))).isFalse();
        } finally {
            seen.countDown();
        }
        assertThat(slow.get(30, TimeUnit.SECONDS)).isFalse();
        link.close();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Mappings go with the garbage collector only, and each costs page tables and a thread for a while. */
    @Test
    void shouldKeepMappingsWhenTheSameDatanodeIsConnectedAnew() {
        LocalSession[] sessions = {
            new LocalSession(offer(1)), new LocalSession(offer(1)), new LocalSession(null), new LocalSession(offer(2))
        };
        DeviceLink<DirectTransfer> link = link(sessions);
        link.submit(begunIn(0));
        Object first = awaitRegions(link);
        assertThat(first).isNotNull();
        reconnect(link, sessions[0]);
        assertThat(awaitRegions(link)).isSameAs(first);
        reconnect(link, sessions[1]);
        assertThat(link.mayCopy())
                .as("a connection over which nothing was proved")
                .isFalse();
        assertThat(TestBlocks.regions(link.mapped())).isNull();
        sessions[2].ended = true;
        link.submit(begunIn(0));
        assertThat(awaitRegions(link)).as("another start of the datanode").isNotSameAs(first);
        link.close();
    }

    private static void reconnect(DeviceLink<DirectTransfer> link, LocalSession ended) {
        ended.ended = true;
        assertThat(link.mayCopy()).isFalse();
        DirectTransfer transfer = begunIn(0);
        link.submit(transfer);
        assertThat(transfer).succeedsWithin(30, TimeUnit.SECONDS);
    }

    /** The link may know the session only when the first transfer over it has completed. */
    private static Object awaitRegions(DeviceLink<DirectTransfer> link) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!link.mayCopy()) {
            assertThat(System.nanoTime() - deadlineNs)
                    .as("time until the connection is known")
                    .isNegative();
            Thread.onSpinWait();
        }
        return TestBlocks.regions(link.mapped());
    }

    @Test
    void shouldConnectAgainAfterAnError() {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        LocalSession session = new LocalSession(null);
        DeviceLink<DirectTransfer> link = new DeviceLink<>(
                DATANODE,
                "test",
                AMPLE,
                (datanode, listener) -> {
                    if (isFirst.getAndSet(false)) {
                        throw new LinkageError("of a test");
                    }
                    return session;
                },
                Runnable::run);
        DirectTransfer unlucky = begunIn(0);
        link.submit(unlucky);
        assertThatThrownBy(() -> unlucky.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("of a test");
        DirectTransfer next = begunIn(0);
        link.submit(next);
        assertThat(next).succeedsWithin(30, TimeUnit.SECONDS);
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

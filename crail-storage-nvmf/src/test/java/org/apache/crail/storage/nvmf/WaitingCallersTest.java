/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import static org.apache.crail.storage.nvmf.ClientFixture.SECTOR;
import static org.apache.crail.storage.nvmf.ClientFixture.block;
import static org.apache.crail.storage.nvmf.ClientFixture.buffer;
import static org.apache.crail.storage.nvmf.ClientFixture.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.storage.device.DeviceLoop;
import org.apache.crail.storage.device.DirectTransfer;
import org.apache.crail.storage.device.TransferLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that wait for transfers, and take completions meanwhile, while the thread of the loop takes none. */
@Timeout(60)
class WaitingCallersTest {
    private static final int BLOCK = 64 * SECTOR;

    private final MemoryDevice device = new MemoryDevice(new byte[BLOCK], SECTOR, 1);
    private final CountDownLatch loopIsStuck = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final DeviceLoop loop = new DeviceLoop("test-completions", this::stick, false, () -> {});
    private SectorSession session;

    private boolean stick(int timeoutMs) throws IOException {
        loopIsStuck.countDown();
        try {
            released.await();
            return false;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @BeforeEach
    void connect() throws Exception {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
        session = SectorSessionTest.session(device, loop);
        loop.add(session);
    }

    @AfterEach
    void close() {
        released.countDown();
        loop.close(new ClosedException("the test is over"));
    }

    /** A transfer that the loop's thread does not complete before it is released. */
    private NvmfTransfer begin() throws Exception {
        device.silent = true;
        NvmfTransfer transfer = submit();
        loopIsStuck.await();
        return transfer;
    }

    private NvmfTransfer submit() {
        long deadlineNs = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
        NvmfTransfer transfer = new NvmfTransfer(
                new DirectTransfer.Range(false, block(0, BLOCK), 0, buffer(SECTOR), 0, SECTOR, deadlineNs));
        assertThat(session.submit(transfer)).isTrue();
        return transfer;
    }

    @Test
    void shouldTakeWhatTheyWaitFor() throws Exception {
        NvmfTransfer transfer = begin();
        CompletableFuture<Thread> completedBy = transfer.thenApply(bytes -> Thread.currentThread());
        device.silent = false;
        assertThat(transfer.get()).isEqualTo(SECTOR);
        assertThat(completedBy.getNow(null)).isEqualTo(Thread.currentThread());
        assertThat(submit().get(1, TimeUnit.MINUTES)).isEqualTo(SECTOR);
    }

    /** Otherwise it would go on taking what they come for, and both would be busy with the same. */
    @Test
    void shouldHaveTheLoopStandAsideAlsoWhenItWasFaster() throws Exception {
        NvmfTransfer first = begin();
        device.silent = false;
        assertThat(pollUntilDone(first)).as("nobody is expected").isEqualTo(1);
        assertThat(session.taker(0)).isEqualTo(DeviceLoop.Taker.NOBODY);
        assertThat(first.get()).isEqualTo(SECTOR);
        assertThat(session.taker(0)).as("it may have been slower").isEqualTo(DeviceLoop.Taker.CALLERS);
        NvmfTransfer second = submit();
        assertThat(pollUntilDone(second)).as("the caller will come").isZero();
        assertThat(second.get()).isEqualTo(SECTOR);
        assertThat(session.taker(TimeUnit.SECONDS.toNanos(1)))
                .as("it has taken nothing by itself")
                .isEqualTo(DeviceLoop.Taker.NOBODY);
    }

    /** As the loop's thread does; answers how many completions it counts as its own. */
    private int pollUntilDone(NvmfTransfer transfer) {
        int own = 0;
        while (!transfer.isDone()) {
            own += session.poll();
        }
        return own;
    }

    /** Its continuations might want what the caller holds. */
    @Test
    void shouldLeaveTransfersOfOthersToTheLoop() throws Exception {
        NvmfTransfer own = begin();
        NvmfTransfer other = CompletableFuture.supplyAsync(this::submit).get();
        CompletableFuture<Thread> completedBy = other.thenApply(bytes -> Thread.currentThread());
        device.silent = false;
        assertThat(own.get()).isEqualTo(SECTOR);
        while (session.isBusy()) {
            other.advance(other, Long.MAX_VALUE);
        }
        assertThat(other).isNotDone();
        released.countDown();
        assertThat(completedBy.get().getName()).isEqualTo("test-completions");
    }

    /** Nobody else does: the loop may have let the session go. */
    @Test
    void shouldCompleteWhatWasLeftWhenTheSessionEnds() throws Exception {
        NvmfTransfer own = begin();
        NvmfTransfer other = CompletableFuture.supplyAsync(this::submit).get();
        device.silent = false;
        while (session.isBusy()) {
            own.advance(other, Long.MAX_VALUE);
        }
        assertThat(other).isNotDone();
        session.end(new ClosedException("the store has been closed"));
        assertThat(other.get()).isEqualTo(SECTOR);
    }

    @Test
    void shouldWaitNoLongerThanTheySay() throws Exception {
        NvmfTransfer transfer = begin();
        assertThatThrownBy(() -> transfer.get(5, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> transfer.get(0, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }

    @Test
    void shouldBeInterrupted() throws Exception {
        NvmfTransfer transfer = begin();
        Thread.currentThread().interrupt();
        assertThatThrownBy(transfer::get).isInstanceOf(InterruptedException.class);
    }

    @Test
    void shouldNoticeThatTheConnectionBreaks() throws Exception {
        NvmfTransfer transfer = begin();
        device.pollFailure = new IOException("what was posted came back");
        assertThat(failure(transfer))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("what was posted came back");
        assertThat(session.hasEnded()).isTrue();
    }

    @Test
    void shouldWaitNoLongerWhenTheSessionEnds() throws Exception {
        NvmfTransfer transfer = begin();
        CompletableFuture<Throwable> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return failure(transfer);
            } catch (InterruptedException e) {
                return e;
            }
        });
        session.end(new ClosedException("the store has been closed"));
        assertThat(waiting.get()).isInstanceOf(ClosedException.class);
    }

    /** With a loop that works: it must not rely on who has come before. */
    @Test
    void shouldBeServedByTheLoopOnceTheyWaitOtherwise() throws Exception {
        TransferLimits patient = new TransferLimits(60_000, 600_000);
        try (ClientFixture client = new ClientFixture(new byte[BLOCK], 16, patient, 60_000)) {
            for (int i = 0; i < 100; i++) {
                assertThat(client.endpoint
                                .read(buffer(SECTOR), block(0, BLOCK), 0)
                                .get())
                        .isEqualTo(SECTOR);
            }
            for (int i = 0; i < 20; i++) {
                CountDownLatch done = new CountDownLatch(1);
                client.endpoint.read(buffer(SECTOR), block(0, BLOCK), 0).thenRun(done::countDown);
                done.await();
            }
        }
    }

    /** With a loop that works. */
    @Test
    void shouldAllComeToAnEndWhenThereAreMany() throws Exception {
        int callers = 6;
        TransferLimits patient = new TransferLimits(60_000, 600_000);
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try (ClientFixture client = new ClientFixture(new byte[BLOCK], 16, patient, 60_000)) {
            List<Future<?>> running = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                long offset = (long) caller * SECTOR;
                running.add(threads.submit(() -> {
                    for (int i = 0; i < 100; i++) {
                        CompletableFuture<Integer> ahead = client.endpoint.read(buffer(SECTOR), block(0, BLOCK), 0);
                        client.endpoint
                                .write(buffer(SECTOR), block(0, BLOCK), offset)
                                .get();
                        ahead.get();
                        CompletableFuture<Integer> chained = client.endpoint
                                .read(buffer(1), block(0, BLOCK), offset)
                                .thenApply(bytes -> bytes);
                        chained.get();
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}

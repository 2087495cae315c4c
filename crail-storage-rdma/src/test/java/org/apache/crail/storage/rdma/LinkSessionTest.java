/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.apache.crail.storage.rdma.TierFixture.await;
import static org.apache.crail.storage.rdma.TierFixture.failure;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.device.DeviceLoop;
import org.apache.crail.storage.device.DirectSession;
import org.apache.crail.storage.device.DirectTransfer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkSessionTest {
    private static final BlockInfo BLOCK =
            new BlockInfo(new DataNodeInfo(0, 0, 0, "192.0.2.1", 1), 0, 4096, 64 * 1024, 7, 1);
    private static final int SIZE = 4;

    private final FakeEvents events = new FakeEvents();
    private final FakeQueue queue = new FakeQueue(events);
    private final RdmaCounters counters = new RdmaCounters();
    private final List<DirectSession<?>> endings = new ArrayList<>();
    private DeviceLoop loop = new DeviceLoop("test-completions", events, false, () -> {});
    private final LinkSession session = new LinkSession(queue, SIZE, loop, counters, new Recorder());

    private final class Recorder implements DirectSession.Listener {
        @Override
        public void onEnd(DirectSession<?> ended, CrailException reason) {
            endings.add(ended);
        }

        @Override
        public CrailException unreachable(String why, Throwable cause) {
            return new DatanodeUnreachableException(why, cause);
        }

        @Override
        public CrailException endedByLate() {
            return new StaleBlockException("another transfer was late");
        }
    }

    @AfterEach
    void stop() {
        loop.close(new ClosedException("the test is over"));
    }

    private static RdmaTransfer transfer(boolean isWrite, long deadlineNs) throws IOException {
        return new RdmaTransfer(new DirectTransfer.Range(
                isWrite, BLOCK, 0, OffHeapBuffer.wrap(ByteBuffer.allocateDirect(8)), 0, 8, deadlineNs));
    }

    private RdmaTransfer submit(boolean isWrite) throws IOException {
        RdmaTransfer transfer = transfer(isWrite, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
        assertThat(session.submit(transfer)).isTrue();
        return transfer;
    }

    private RdmaTransfer submitNow() {
        try {
            return submit(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldNeverPostMoreThanTheQueueHoldsAndKeepTheOrder() throws Exception {
        loop.add(session);
        List<RdmaTransfer> transfers = new ArrayList<>();
        for (boolean isWrite : new boolean[] {false, true, true, false, false, true}) {
            transfers.add(submit(isWrite));
        }
        assertThat(queue.posted)
                .isEqualTo(transfers.subList(0, 2)); // 3 of 4; the write waits, and what is behind it, too
        queue.complete(0, WorkStatus.SUCCESS);
        await("the write has been posted", () -> queue.postedCount() == 3);
        assertThat(transfers.get(0).get()).isEqualTo(8);
        queue.complete(1, WorkStatus.SUCCESS);
        await("two reads have been posted", () -> queue.postedCount() == 5);
        queue.complete(2, WorkStatus.SUCCESS);
        await("the last has been posted", () -> queue.postedCount() == 6);
        assertThat(queue.posted).isEqualTo(transfers);
        for (int i = 3; i < 6; i++) {
            queue.complete(i, WorkStatus.SUCCESS);
            assertThat(transfers.get(i).get()).isEqualTo(8);
        }
        assertThat(counters.workRequests()).isEqualTo(9);
        assertThat(counters.completions()).isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource({
        "10, IBV_WC_REM_ACCESS_ERR, STALE_BLOCK",
        "9, IBV_WC_REM_INV_REQ_ERR, STALE_BLOCK",
        "12, IBV_WC_RETRY_EXC_ERR, DATANODE_UNREACHABLE",
        "5, IBV_WC_WR_FLUSH_ERR, DATANODE_UNREACHABLE",
        "4, IBV_WC_LOC_PROT_ERR, INTERNAL",
        "11, IBV_WC_REM_OP_ERR, STORAGE_FAILURE",
        "99, status 99, DATANODE_UNREACHABLE"
    })
    void shouldNameTheStatusAndFailTheOthersAfterDestroyingTheQueue(int status, String name, String code)
            throws Exception {
        loop.add(session);
        RdmaTransfer good = submit(false);
        RdmaTransfer bad = submit(false);
        RdmaTransfer posted = submit(false);
        RdmaTransfer waiting = submit(true);
        List<Boolean> destroyedWhenFailed = new ArrayList<>();
        posted.whenComplete((bytes, failure) -> destroyedWhenFailed.add(queue.destroyed));
        queue.complete(0, WorkStatus.SUCCESS);
        assertThat(good.get()).isEqualTo(8);
        queue.complete(1, status);
        CrailException failure = (CrailException) failure(bad);
        assertThat(failure.code().name()).isEqualTo(code);
        assertThat(failure).hasMessageContaining(name).hasMessageContaining("read of 8 bytes");
        for (RdmaTransfer other : List.of(posted, waiting)) {
            assertThat(failure(other))
                    .isInstanceOf(DatanodeUnreachableException.class)
                    .hasMessageContaining(name);
        }
        assertThat(destroyedWhenFailed).containsExactly(true);
        assertThat(endings).containsExactly(session);
        assertThat(session.submit(transfer(false, 0))).isFalse();
        await("the completion queue is given back", queue::isReleased);
    }

    @Test
    void shouldDestroyTheQueueBeforeALateTransferIsAnswered() throws Exception {
        RdmaTransfer other = submit(false);
        RdmaTransfer late = transfer(false, System.nanoTime() - 1);
        session.submit(late);
        assertThat(session.takeLate(System.nanoTime())).containsExactly(late);
        assertThat(queue.destroyed).isTrue();
        assertThat(late).isNotDone();
        assertThat(failure(other))
                .isInstanceOf(StaleBlockException.class)
                .hasMessageContaining("another transfer was late");
        assertThat(session.takeLate(System.nanoTime())).isEmpty();
    }

    @Test
    void shouldKeepTheConnectionWhenOnlyTransfersThatWaitAreLate() throws Exception {
        for (int i = 0; i < SIZE; i++) {
            submit(false);
        }
        RdmaTransfer late = transfer(true, System.nanoTime() - 1);
        session.submit(late);
        assertThat(session.takeLate(System.nanoTime())).containsExactly(late);
        assertThat(session.hasEnded()).isFalse();
        assertThat(queue.destroyed).isFalse();
    }

    @Test
    void shouldEndWhenTheDatanodeEndsTheConnection() throws Exception {
        RdmaTransfer transfer = submit(true);
        session.endIfDisconnected();
        assertThat(transfer).isNotDone();
        queue.disconnected = true;
        session.endIfDisconnected();
        assertThat(failure(transfer)).isInstanceOf(DatanodeUnreachableException.class);
    }

    @Test
    void shouldEndWhenTheDeviceTakesNothing() throws Exception {
        queue.postFailure = new IOException("ibv_post_send: Cannot allocate memory");
        assertThat(failure(submit(false)))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("ibv_post_send");
        assertThat(session.hasEnded()).isTrue();
    }

    @Test
    void shouldFailOnlyTheTransferWhoseBufferCannotBeRegistered() throws Exception {
        queue.keyFailure = new BufferExhaustedException("no memory");
        assertThat(failure(submit(false))).isInstanceOf(BufferExhaustedException.class);
        queue.keyFailure = null;
        submit(false);
        assertThat(queue.posted).hasSize(1);
        assertThat(session.hasEnded()).isFalse();
    }

    @Test
    void shouldRegisterNothingForASessionThatHasEnded() throws Exception {
        session.end(new ClosedException("the device is gone"));
        queue.keyFailure = new ClosedException("it has been closed with the device");
        queue.beforeKey = () -> {
            throw new AssertionError("asked for a key");
        };
        RdmaTransfer transfer = transfer(true, Long.MAX_VALUE);
        assertThat(session.submit(transfer)).isFalse();
        assertThat(transfer).isNotDone();
    }

    @Test
    void shouldRefuseATransferWhenTheSessionEndsWhileItsBufferIsRegistered() throws Exception {
        queue.keyFailure = new ClosedException("it has been closed with the device");
        queue.beforeKey = () -> session.end(new ClosedException("the device is gone"));
        RdmaTransfer transfer = transfer(true, Long.MAX_VALUE);
        assertThat(session.submit(transfer)).isFalse();
        assertThat(transfer).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSleepWhenThereIsNothingToDoAndNeverPollForLong(boolean polling) throws Exception {
        loop.close(new ClosedException("another one is tested"));
        loop = new DeviceLoop("test-completions", events, polling, () -> {});
        LinkSession own = new LinkSession(queue, SIZE, loop, counters, new Recorder());
        loop.add(own);
        RdmaTransfer transfer = transfer(false, Long.MAX_VALUE);
        own.submit(transfer);
        await("it waits for an event", () -> queue.armCount() > 0);
        int polls = queue.pollCount();
        int awaits = events.awaits();
        TimeUnit.MILLISECONDS.sleep(300); // that it does little is seen only after a while
        polls = queue.pollCount() - polls;
        assertThat(polls)
                .as("twice beside each wait, and once more in each round")
                .isLessThanOrEqualTo(3 * (events.awaits() - awaits + 1));
        queue.complete(0, WorkStatus.SUCCESS);
        assertThat(transfer.get()).isEqualTo(8);
    }

    @Test
    void shouldLetACallerWhoseTransferIsAloneCompleteIt() throws Exception {
        queue.completeAtPost(WorkStatus.SUCCESS);
        for (boolean isWrite : new boolean[] {false, true, false}) {
            assertThat(submit(isWrite)).isCompletedWithValue(8); // without a thread: the session is in no loop
        }
        assertThat(session.isBusy()).isFalse();
        assertThat(counters.completions()).isEqualTo(3);
    }

    @Test
    void shouldTellACallerWhyItsTransferFailedAndEndTheSession() throws Exception {
        queue.completeAtPost(WorkStatus.REMOTE_ACCESS);
        RdmaTransfer transfer = submit(false);
        assertThat(transfer).isCompletedExceptionally();
        assertThat(failure(transfer)).isInstanceOf(StaleBlockException.class).hasMessageContaining("REM_ACCESS");
        assertThat(endings).containsExactly(session);
    }

    @Test
    void shouldNotCompleteTransfersOfOthersInACaller() throws Exception {
        RdmaTransfer other = submit(false);
        queue.complete(0, WorkStatus.SUCCESS);
        queue.completeAtPost(WorkStatus.SUCCESS);
        RdmaTransfer own = submit(false);
        assertThat(other).isNotDone();
        assertThat(own).isNotDone();
        loop.add(session);
        assertThat(other.get()).isEqualTo(8);
        assertThat(own.get()).isEqualTo(8);
    }

    @Test
    void shouldSleepAfterAnEventWhoseCompletionACallerHasTaken() throws Exception {
        loop.add(session);
        RdmaTransfer first = submit(false);
        await("it waits for an event", () -> events.awaits() > 0);
        queue.complete(0, WorkStatus.SUCCESS);
        first.get();
        queue.completeAtPost(WorkStatus.SUCCESS);
        await("it lets callers alone", () -> {
            int armsBefore = queue.armCount();
            for (int i = 0; i < 100; i++) {
                assertThat(submitNow()).isDone();
            }
            return queue.armCount() == armsBefore;
        });
    }

    @Test
    void shouldCompleteEachTransferOfSeveralCallersOnce() throws Exception {
        queue.completeAtPost(WorkStatus.SUCCESS);
        loop.add(session);
        int each = 5_000;
        ExecutorService threads = Executors.newFixedThreadPool(3);
        AtomicInteger completed = new AtomicInteger();
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int caller = 0; caller < 3; caller++) {
            callers.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < each; i++) {
                            submitNow()
                                    .thenRun(completed::incrementAndGet)
                                    .orTimeout(1, TimeUnit.MINUTES)
                                    .join();
                        }
                    },
                    threads));
        }
        for (CompletableFuture<Void> caller : callers) {
            caller.get(2, TimeUnit.MINUTES);
        }
        threads.shutdown();
        assertThat(completed).hasValue(3 * each);
        assertThat(counters.completions()).isEqualTo(3L * each);
        assertThat(events.overlooked()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldOverlookNoCompletion(boolean polling) throws Exception {
        loop.close(new ClosedException("another one is tested"));
        loop = new DeviceLoop("test-completions", events, polling, () -> {});
        Random random = new Random(7);
        for (int connection = 0; connection < 20; connection++) {
            FakeQueue own = new FakeQueue(events);
            LinkSession fresh = new LinkSession(own, SIZE, loop, counters, new Recorder());
            loop.add(fresh);
            for (int i = 0; i < 500; i++) {
                boolean atPost = random.nextBoolean();
                if (atPost) {
                    own.completeAtPost(WorkStatus.SUCCESS);
                } else {
                    own.completeLater();
                }
                RdmaTransfer transfer = transfer(random.nextBoolean(), Long.MAX_VALUE);
                fresh.submit(transfer);
                if (!atPost) {
                    own.complete(i, WorkStatus.SUCCESS);
                }
                assertThat(transfer.get(1, TimeUnit.MINUTES)).isEqualTo(8);
            }
        }
        assertThat(events.overlooked()).isZero();
    }

    @Test
    void shouldTreatAFaultOfThisSideAsOne() {
        assertThat(WorkStatus.code(1).exception("x")).isInstanceOf(InternalErrorException.class);
        assertThat(WorkStatus.code(WorkStatus.REMOTE_ACCESS).exception("x")).isInstanceOf(StaleBlockException.class);
    }
}

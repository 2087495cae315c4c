/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import static org.apache.crail.storage.nvmf.ClientFixture.SECTOR;
import static org.apache.crail.storage.nvmf.ClientFixture.block;
import static org.apache.crail.storage.nvmf.ClientFixture.buffer;
import static org.apache.crail.storage.nvmf.ClientFixture.failure;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.storage.device.DeviceLoop;
import org.apache.crail.storage.device.DirectSession;
import org.apache.crail.storage.device.DirectTransfer;
import org.apache.crail.storage.device.TransferLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SectorSessionTest {
    private static final int BLOCK = 64 * SECTOR;
    private static final long VERY_LONG_MS = 600_000;
    private static final TransferLimits PATIENT = new TransferLimits(60_000, 600_000);

    private static final DirectSession.Listener LISTENER = new DirectSession.Listener() {
        @Override
        public void onEnd(DirectSession<?> ended, CrailException reason) {}

        @Override
        public CrailException unreachable(String why, Throwable cause) {
            return new DatanodeUnreachableException(why, cause);
        }

        @Override
        public CrailException endedByLate() {
            return new DatanodeUnreachableException("late");
        }
    };

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void shouldTellTheStatusOfACommandByName(int offset) throws Exception {
        try (ClientFixture client = new ClientFixture(BLOCK)) {
            client.endpoint.write(buffer(SECTOR), block(0, BLOCK), 0).get();
            client.device().failure = NvmeStatus.failure(2, 0x80);
            for (int i = 0; i < 20; i++) {
                assertThat(failure(client.endpoint.write(buffer(3 * SECTOR), block(0, BLOCK), offset)))
                        .isInstanceOf(StorageFailureException.class)
                        .hasMessageContaining("Write Fault (0x280)");
                assertThat(failure(client.endpoint.read(buffer(3 * SECTOR), block(0, BLOCK), offset)))
                        .isInstanceOf(StorageFailureException.class);
            }
            client.device().failure = null;
            client.endpoint.write(buffer(3 * SECTOR), block(0, BLOCK), offset).get();
            assertThat(client.devices).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void shouldDestroyTheQueueBeforeALateTransferFails(int offset) throws Exception {
        TransferLimits hasty = new TransferLimits(3_000, 600_000);
        try (ClientFixture client = new ClientFixture(new byte[BLOCK], 1, hasty, 60_000)) {
            client.awaitConnection();
            MemoryDevice stuck = client.device();
            stuck.silent = true;
            CompletableFuture<Integer> write = client.endpoint.write(buffer(SECTOR), block(0, BLOCK), offset);
            CompletableFuture<Boolean> destroyed = write.handle((value, failure) -> stuck.destroyed);
            CompletableFuture<Integer> other = client.endpoint.write(buffer(100), block(0, BLOCK), offset + 7);
            assertThat(failure(write)).isInstanceOf(OperationTimeoutException.class);
            assertThat(destroyed.get()).isTrue();
            assertThat(failure(other)).isNotNull();
            client.endpoint.write(buffer(SECTOR), block(0, BLOCK), offset).get();
            assertThat(client.devices).hasSize(2);
        }
    }

    @Test
    void shouldNotWriteALateMergeOfASector() throws Exception {
        MemoryDevice device = new MemoryDevice(new byte[BLOCK], SECTOR, 1);
        device.silent = true;
        DeviceLoop loop = new DeviceLoop("test-completions", timeoutMs -> false, false, () -> {});
        try {
            SectorSession session = session(device, loop);
            loop.add(session);
            NvmfTransfer write = new NvmfTransfer(new DirectTransfer.Range(
                    true, block(0, BLOCK), 7, buffer(100), 0, 100, System.nanoTime() + 1_000_000_000L));
            assertThat(session.submit(write)).isTrue();
            assertThat(device.takeHistory()).as("the sector is read").hasSize(1);
            while (!write.isLate(System.nanoTime())) {
                Thread.onSpinWait();
            }
            device.silent = false;
            loop.wakeUp();
            assertThat(failure(write)).isInstanceOf(StaleBlockException.class);
            assertThat(device.takeHistory()).isEmpty();
        } finally {
            loop.close(new ClosedException("the test is over"));
        }
    }

    @Test
    @Timeout(60)
    void shouldFailWhatIsUnderWayWhenNoThreadCanBeHad() throws Exception {
        MemoryDevice device = new MemoryDevice(new byte[BLOCK], SECTOR, 1);
        device.silent = true;
        DeviceLoop loop = new DeviceLoop("test-completions", timeoutMs -> false, false, () -> {});
        try {
            CompletableFuture<Void> settled = new CompletableFuture<>();
            SectorSession session = session(device, loop, end -> end.thenRun(() -> settled.complete(null)), task -> {
                throw new RejectedExecutionException("no thread can be had");
            });
            NvmfTransfer read = new NvmfTransfer(new DirectTransfer.Range(
                    false, block(0, BLOCK), 0, buffer(SECTOR), 0, SECTOR, System.nanoTime() + 60_000_000_000L));
            assertThat(session.submit(read)).isTrue();

            session.end(new DatanodeUnreachableException("the cable is out"));

            assertThat(failure(read)).hasMessageContaining("the cable is out");
            settled.get();
            assertThat(device.destroyed).isTrue();
        } finally {
            loop.close(new ClosedException("the test is over"));
        }
    }

    static SectorSession session(SectorDevice device, DeviceLoop loop) throws CrailException {
        return session(device, loop, settled -> {}, BackgroundThreads.executor());
    }

    private static SectorSession session(
            SectorDevice device, DeviceLoop loop, Consumer<CompletableFuture<Void>> onEnding, Executor threads)
            throws CrailException {
        TransferLimits lease = new TransferLimits(60_000, 30_000);
        return new SectorSession(
                device,
                new NvmfClientSettings(8, 16, 10_000, 60_000, 20, lease),
                loop,
                new NvmfCounters(),
                LISTENER,
                onEnding,
                threads);
    }

    @Test
    void shouldConnectAnewWhenTheConnectionBreaks() throws Exception {
        try (ClientFixture client = new ClientFixture(BLOCK)) {
            client.endpoint.write(buffer(SECTOR), block(0, BLOCK), 0).get();
            MemoryDevice device = client.device();
            device.silent = true;
            CompletableFuture<Integer> write = client.endpoint.write(buffer(SECTOR), block(0, BLOCK), 0);
            client.awaitCommands(2); // a connection on which nothing is under way could be found broken before
            device.pollFailure = new IOException("IBV_WC_RETRY_EXC_ERR");
            assertThat(failure(write))
                    .isInstanceOf(DatanodeUnreachableException.class)
                    .hasMessageContaining("IBV_WC_RETRY_EXC_ERR")
                    .hasMessageContaining("192.0.2.1:4420");
            client.endpoint.write(buffer(SECTOR), block(0, BLOCK), 0).get();
            assertThat(client.counters.connections()).isEqualTo(2);
        }
    }

    /** So that the next transfer has a new connection, and need not be repeated. */
    @Test
    void shouldEndWhenTheTargetHasDisconnectedWhileThereWasNothingToDo() throws Exception {
        MemoryDevice device = new MemoryDevice(new byte[BLOCK], SECTOR, 1);
        DeviceLoop loop = new DeviceLoop("test-completions", timeoutMs -> false, false, () -> {});
        try {
            SectorSession session = session(device, loop);
            session.endIfDisconnected();
            assertThat(session.hasEnded()).isFalse();
            device.pollFailure = new IOException("what was posted came back");
            session.endIfDisconnected();
            assertThat(session.hasEnded()).isTrue();
        } finally {
            loop.close(new ClosedException("the test is over"));
        }
    }

    /** The connection ends between the look at it and the registration of the buffer. */
    @Test
    void shouldUseANewConnectionWhenTheOldOneEndsJustNow() throws Exception {
        try (ClientFixture client = new ClientFixture(BLOCK)) {
            client.awaitConnection();
            MemoryDevice first = client.device();
            first.beforeKey = () -> {
                first.pollFailure = new IOException("what was posted came back");
                first.beforeKey = () -> {};
                client.endpoint.write(buffer(SECTOR), block(0, BLOCK), 0);
                while (!first.destroyed) {
                    Thread.onSpinWait();
                }
            };
            client.endpoint.write(buffer(SECTOR), block(0, BLOCK), 0).get();
            assertThat(client.counters.connections()).isEqualTo(2);
        }
    }

    /**
     * Otherwise the target might execute the former write after the same one again, or after one beside it in its
     * sector.
     */
    @Test
    @Timeout(60)
    void shouldNotConnectAnewWhileTheTargetMayHaveWritesOfTheFormerConnection() throws Exception {
        ClientFixture client = new ClientFixture(new byte[BLOCK], 16, PATIENT, 60_000, VERY_LONG_MS);
        client.endpoint.read(buffer(1), block(0, BLOCK), 0).get();
        breakWith(client, true);
        CompletableFuture<Integer> next = client.endpoint.write(buffer(100), block(0, BLOCK), 100);
        while (!isSomebodyWaitingForFormerWrites() && client.devices.size() == 1) {
            Thread.onSpinWait();
        }
        client.close();
        assertThat(failure(next)).isInstanceOf(ClosedException.class);
        while (isSomebodyWaitingForFormerWrites()) {
            Thread.onSpinWait();
        }
        assertThat(client.devices).hasSize(1);
    }

    private static boolean isSomebodyWaitingForFormerWrites() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Stream::of)
                .anyMatch(frame -> frame.getClassName().equals(FormerWrites.class.getName())
                        && frame.getMethodName().equals("await"));
    }

    @Test
    void shouldConnectAnewAtOnceWhenOnlyReadsHadBeenPosted() throws Exception {
        try (ClientFixture client = new ClientFixture(new byte[BLOCK], 16, PATIENT, 60_000, VERY_LONG_MS)) {
            client.endpoint.write(buffer(SECTOR), block(0, BLOCK), 0).get();
            breakWith(client, false);
            client.endpoint.write(buffer(100), block(0, BLOCK), 100).get();
            assertThat(client.devices).hasSize(2);
        }
    }

    @Test
    void shouldConnectAnewWhenTheTargetIsThroughWithTheWritesOfTheFormerConnection() throws Exception {
        try (ClientFixture client = new ClientFixture(BLOCK)) {
            client.endpoint.read(buffer(1), block(0, BLOCK), 0).get();
            breakWith(client, true);
            client.endpoint.write(buffer(100), block(0, BLOCK), 100).get();
            assertThat(client.devices).hasSize(2);
            long betweenNs = client.device().openedNs - client.devices.get(0).destroyedNs;
            assertThat(betweenNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(ClientFixture.SETTLE_MS));
        }
    }

    /** Breaks the connection while the device has a command that it does not answer. */
    private static void breakWith(ClientFixture client, boolean aWrite) throws Exception {
        MemoryDevice device = client.device();
        device.takeHistory();
        device.silent = true;
        CompletableFuture<Integer> pending = aWrite
                ? client.endpoint.write(buffer(SECTOR), block(0, BLOCK), 0)
                : client.endpoint.read(buffer(SECTOR), block(0, BLOCK), 0);
        while (device.takeHistory().isEmpty() && !pending.isDone()) {
            Thread.onSpinWait(); // the first transfer may be done before others can post
        }
        device.pollFailure = new IOException("what was posted came back");
        assertThat(failure(pending)).isInstanceOf(DatanodeUnreachableException.class);
    }

    /** As jNVMf does after a status that it does not know: the command is known, its queue cannot be used any more. */
    @Test
    void shouldConnectAnewWhenTheConnectionBreaksWithACompletion() throws Exception {
        try (ClientFixture client = new ClientFixture(BLOCK)) {
            client.endpoint.write(buffer(SECTOR), block(0, BLOCK), 0).get();
            client.device().breakage = new IOException("an answer could not be read");
            client.device().failure = NvmeStatus.failure(3, NvmeStatus.UNKNOWN);
            assertThat(failure(client.endpoint.write(buffer(SECTOR), block(0, BLOCK), 0)))
                    .hasMessageContaining("path error");
            client.endpoint.write(buffer(SECTOR), block(0, BLOCK), 0).get();
            assertThat(client.counters.connections()).isEqualTo(2);
        }
    }

    @Test
    void shouldFailWhatCannotBeDone() throws Exception {
        ClientFixture client = new ClientFixture(BLOCK);
        client.unreachable = true;
        assertThat(failure(client.endpoint.read(buffer(1), block(0, BLOCK), 0)))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("nobody listens there");
        client.unreachable = false;
        assertThat(failure(client.endpoint.read(buffer(2), block(0, BLOCK), BLOCK - 1)))
                .isInstanceOf(BlockBoundsException.class);
        assertThat(client.endpoint.read(buffer(0), block(0, BLOCK), 0).get()).isZero();
        client.endpoint.read(buffer(1), block(0, BLOCK), 0).get();
        client.device().silent = true;
        CompletableFuture<Integer> pending = client.endpoint.read(buffer(1), block(0, BLOCK), 0);
        client.close();
        assertThat(failure(pending)).isInstanceOf(ClosedException.class);
        assertThat(failure(client.endpoint.read(buffer(1), block(0, BLOCK), 0))).isInstanceOf(ClosedException.class);
    }

    @Test
    @Timeout(60)
    void shouldFailWhatIsUnderWayWhenItsConnectionCannotBeClosed() throws Exception {
        ClientFixture client = new ClientFixture(BLOCK);
        client.awaitConnection();
        client.device().silent = true;
        client.device().destroyFailure = new OutOfMemoryError("no memory");
        long commands = client.counters.commands();
        CompletableFuture<Integer> pending = client.endpoint.read(buffer(SECTOR), block(0, BLOCK), 0);
        client.awaitCommands((int) commands + 1);
        client.close();
        assertThat(failure(pending)).isInstanceOf(InternalErrorException.class).hasMessageContaining("no memory");
    }

    @Test
    void shouldEndAConnectionWhoseKeepAliveFails() throws Exception {
        assertEndsConnection(device -> device.failure = NvmeStatus.failure(0, 0x82));
    }

    @Test
    void shouldEndAConnectionWhoseTargetDoesNotAnswerAKeepAlive() throws Exception {
        assertEndsConnection(device -> device.deaf = true);
    }

    private static void assertEndsConnection(Consumer<MemoryDevice> fault) throws Exception {
        try (ClientFixture client = new ClientFixture(new byte[BLOCK], 16, PATIENT, 200)) {
            client.endpoint.read(buffer(1), block(0, BLOCK), 0).get();
            MemoryDevice device = client.device();
            fault.accept(device);
            long deadlineNs = System.nanoTime() + 30_000_000_000L;
            while (!device.destroyed && System.nanoTime() - deadlineNs < 0) {
                Thread.onSpinWait();
            }
            assertThat(device.destroyed).isTrue();
            client.endpoint.read(buffer(1), block(0, BLOCK), 0).get();
            assertThat(client.device()).isNotSameAs(device);
        }
    }
}

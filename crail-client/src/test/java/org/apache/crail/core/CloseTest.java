/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.error.StorageFailureException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams and stores are closed whole by threads that are interrupted, and by several at the same time. */
@Timeout(60)
class CloseTest {
    private static final int A_WHILE_MS = 100;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    /** Closes in a thread that is interrupted from the beginning on; the result is its flag afterwards. */
    private static FutureTask<Boolean> closingInterrupted(AutoCloseable closeable) {
        return inBackground(closeable, true);
    }

    private static FutureTask<Boolean> closing(AutoCloseable closeable) {
        return inBackground(closeable, false);
    }

    private static FutureTask<Boolean> inBackground(AutoCloseable closeable, boolean isInterrupted) {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
            closeable.close();
            return Thread.interrupted();
        });
        new Thread(task, "closing").start();
        return task;
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private static void assertThatItWaits(FutureTask<Boolean> closing) {
        assertThatThrownBy(() -> closing.get(A_WHILE_MS, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }

    private void assertThatAnotherStoreCanAppend() throws Exception {
        cluster.newStore().lookup("/f").get().asFile().openForAppend(0).close();
    }

    @Test
    void shouldKeepWhatWasWrittenWhenAnInterruptedThreadCloses() throws Exception {
        CoreOutputStream out = (CoreOutputStream) cluster.file("/f").getDirectOutputStream(0);
        CompletableFuture<Void> held = cluster.tier.holdWrites();
        Future<CrailResult> write = out.write(TestCluster.buffer(TestCluster.pattern(500, 1)));
        FutureTask<Boolean> closing = closingInterrupted(out);
        assertThatItWaits(closing);
        held.complete(null);
        assertThat(closing.get()).as("flag").isTrue();
        assertThat(write.isDone()).isTrue();
        assertThat(TestCluster.read(cluster.lookup("/f"))).isEqualTo(TestCluster.pattern(500, 1));
        assertThatAnotherStoreCanAppend();
    }

    @Test
    void shouldWaitForReadsInFlightWhenAnInterruptedThreadCloses() throws Exception {
        TestCluster.write(cluster.file("/f"), TestCluster.pattern(100, 1));
        CrailInputStream in = cluster.lookup("/f").getDirectInputStream(100);
        CompletableFuture<Void> held = cluster.tier.hold();
        Future<CrailResult> read = in.read(TestCluster.space(100));
        FutureTask<Boolean> closing = closingInterrupted(in);
        assertThatItWaits(closing);
        held.complete(null);
        assertThat(closing.get()).as("flag").isTrue();
        assertThat(read.isDone()).isTrue();
    }

    @Test
    void shouldCloseAStoreWholeThoughTheThreadIsInterrupted() throws Exception {
        cluster.file("/f").getDirectOutputStream(0).close();
        CoreDataStore other = cluster.newStore();
        CoreOutputStream out =
                (CoreOutputStream) other.lookup("/f").get().asFile().openForAppend(0);
        CompletableFuture<Void> held = cluster.tier.holdWrites();
        Future<CrailResult> write = out.write(TestCluster.buffer(TestCluster.pattern(500, 1)));
        FutureTask<Boolean> closing = closingInterrupted(other);
        assertThatItWaits(closing);
        held.complete(null);
        assertThat(closing.get()).as("flag").isTrue();
        assertThat(write.isDone()).isTrue();
        assertThat(cluster.lookup("/f").getCapacity()).isEqualTo(500);
        assertThatAnotherStoreCanAppend();
    }

    @Test
    void shouldTellAllWhoCloseHowItEnded() throws Exception {
        CoreOutputStream out = (CoreOutputStream) cluster.file("/f").getDirectOutputStream(0);
        CompletableFuture<Void> held = cluster.tier.holdWrites();
        cluster.tier.failNext(HeapTier.Access::write, new StorageFailureException("broken"));
        Future<CrailResult> write = out.write(TestCluster.buffer(TestCluster.pattern(100, 1)));
        FutureTask<Boolean> first = closing(out);
        await(out::isClosed);
        FutureTask<Boolean> second = closing(out);
        assertThatItWaits(second);
        held.complete(null);
        assertThatThrownBy(write::get).hasCauseInstanceOf(StorageFailureException.class);
        assertThatThrownBy(first::get).hasCauseInstanceOf(StorageFailureException.class);
        assertThatThrownBy(second::get).hasCauseInstanceOf(StorageFailureException.class);
        assertThatThrownBy(out::close).as("later").isInstanceOf(StorageFailureException.class);
    }

    @Test
    void shouldWaitForAStreamThatItsOwnerClosesWhenTheStoreIsClosed() throws Exception {
        cluster.file("/f").getDirectOutputStream(0).close();
        CoreDataStore other = cluster.newStore();
        CoreOutputStream out =
                (CoreOutputStream) other.lookup("/f").get().asFile().openForAppend(0);
        CompletableFuture<Void> held = cluster.tier.holdWrites();
        Future<CrailResult> write = out.write(TestCluster.buffer(TestCluster.pattern(100, 1)));
        FutureTask<Boolean> owner = closing(out);
        await(out::isClosed);
        FutureTask<Boolean> store = closing(other);
        assertThatItWaits(store);
        held.complete(null);
        store.get();
        owner.get();
        assertThat(write.get().getLen()).isEqualTo(100);
        assertThat(cluster.lookup("/f").getCapacity()).isEqualTo(100);
    }

    @Test
    void shouldGiveATokenBackThatComesAfterAnInterrupt() throws Exception {
        cluster.file("/f").getDirectOutputStream(0).close();
        CrailFile found = cluster.lookup("/f");
        CountDownLatch held = cluster.transport.hold();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> found.openForAppend(0)).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).as("flag").isTrue();
        held.countDown();
        cluster.transport.settle(); // the token is taken,
        cluster.transport.settle(); // and given back
        assertThatAnotherStoreCanAppend();
        found.openForAppend(0).close();
    }
}

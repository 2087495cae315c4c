/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.core.call.Callbacks;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.rpc.message.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values by one call each, where transfers and answers come when the test wants them. */
@Timeout(120)
class ValueCallsTest {
    private static final int LIMIT_S = 30;
    private static final int BUFFER = 8192;
    private static final String KEY = "/t/k";

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster();
        cluster.create("/t", CrailNodeType.TABLE);
    }

    @AfterEach
    void stop() throws Exception {
        HookedBufferCache.onAllocate = number -> {};
        assertThatAllIsGivenBack(cluster.store);
        cluster.close();
    }

    /** Of a store without calls: its buffers are free, and its streams closed, or about to be. */
    private static void assertThatAllIsGivenBack(CoreDataStore store) {
        assertThat(store.getBufferCache().buffersInUse()).as("buffers in use").isZero();
        CoreStreamStatistics streams = store.runtime().streams().statistics();
        await(() -> streams.printStatistics().matches("open (\\d+), close \\1,.*"));
    }

    private void restart(TestCluster other) throws Exception {
        cluster.close();
        cluster = other;
        cluster.create("/t", CrailNodeType.TABLE);
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(LIMIT_S, TimeUnit.SECONDS);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private static byte[] value(int length) {
        return TestCluster.pattern(length, length);
    }

    private static void assertFails(Class<? extends CrailException> expected, Future<?> call) {
        assertThatThrownBy(() -> get(call))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(expected)
                .hasMessageContaining(KEY);
    }

    /** A store that finds no memory for one of its buffers. */
    private CoreDataStore storeWithoutMemory(int allocation) throws Exception {
        CoreDataStore store = cluster.newStore(HookedBufferCache.configuration());
        HookedBufferCache.onAllocate = number -> {
            if (number == allocation) {
                throw new OutOfMemoryError("for this test");
            }
        };
        return store;
    }

    @Test
    void shouldShowNothingOfAPutWithoutMemory() throws Exception {
        get(cluster.store.put(KEY, value(100)));
        CoreDataStore store = storeWithoutMemory(2);
        assertFails(InternalErrorException.class, store.put(KEY, value(3 * BUFFER)));
        assertThatAllIsGivenBack(store);
        store.close();
        assertThat(get(cluster.store.get(KEY))).isEqualTo(value(100));
    }

    @Test
    void shouldCloseTheStreamOfAGetWithoutMemory() throws Exception {
        CompletableFuture<Void> put = cluster.store.put(KEY, value(2 * BUFFER));
        assertThat(put).hasToString("putting /t/k");
        get(put);
        CoreDataStore store = storeWithoutMemory(1);
        assertFails(InternalErrorException.class, store.get(KEY));
        assertThatAllIsGivenBack(store);
    }

    @Test
    void shouldGiveMemoryBackWhenAFurtherPieceCannotBeWritten() throws Exception {
        get(cluster.store.put(KEY, value(10)));
        CoreDataStore store = cluster.newStore(HookedBufferCache.configuration());
        cluster.tier.failNext(HeapTier.Access::write, new StorageFailureException("broken " + KEY));
        HookedBufferCache.onAllocate = number -> {
            if (number == 2) {
                settleTransfers(); // so that the first write has failed
            }
        };
        assertFails(StorageFailureException.class, store.put(KEY, value(3 * BUFFER)));
        assertThatAllIsGivenBack(store);
        assertThat(get(store.get(KEY))).isEqualTo(value(10));
    }

    private void settleTransfers() {
        try {
            cluster.tier.settle();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldTransferManyShortValuesWithFewBuffers() throws Exception {
        CompletableFuture<Void> held = cluster.tier.holdWrites();
        List<Future<Void>> puts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            puts.add(cluster.store.put("/t/" + i, value(i + 1)));
        }
        await(() -> cluster.tier.inFlight() == 40);
        assertThat(cluster.store.getBufferCache().buffersInUse()).isEqualTo(1);
        held.complete(null);
        for (Future<Void> put : puts) {
            get(put);
        }
        for (int i = 0; i < 40; i++) {
            assertThat(get(cluster.store.get("/t/" + i))).isEqualTo(value(i + 1));
        }
    }

    @Test
    void shouldCloseAllThoughACallbackClosesTheStore() throws Exception {
        restart(new TestCluster(64, TestCluster.BLOCK, 0, 1_000, service -> service));
        var conf = TestCluster.clientConfiguration();
        conf.set("crail.rpctimeout", "300ms");
        conf.set("crail.datatimeout", "300ms");
        CoreDataStore store = cluster.newStore(conf);
        CoreOutputStream stream = (CoreOutputStream)
                TestCluster.create(store, "/f", CrailNodeType.DATAFILE).asFile().getDirectOutputStream(0);
        CountDownLatch held = cluster.transport.hold();
        CompletableFuture<Void> closed = store.get("/none").thenAccept(value -> closeUnchecked(store));
        held.countDown();
        assertThatThrownBy(() -> get(closed)).hasStackTraceContaining("OperationTimeoutException");
        assertThatThrownBy(() -> store.lookup(KEY)).isInstanceOf(ClosedException.class);
        assertThat(stream.isClosed()).isTrue();
    }

    private static void closeUnchecked(CoreDataStore store) {
        try {
            store.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** As many gets as may be in flight, whose transfers are held back. */
    private List<Future<byte[]>> fillTheBound() throws Exception {
        List<Future<byte[]>> gets = new ArrayList<>();
        for (int i = 0; i < CallBound.MOST_CALLS; i++) {
            gets.add(cluster.store.get(KEY));
        }
        await(() -> cluster.tier.inFlight() >= CallBound.MOST_CALLS);
        return gets;
    }

    private static void assertAllGive(byte[] value, List<Future<byte[]>> gets) throws Exception {
        for (Future<byte[]> each : gets) {
            assertThat(get(each)).isEqualTo(value);
        }
    }

    @Test
    void shouldTakeACallFromACallbackWhenTheBoundIsFull() throws Exception {
        get(cluster.store.put(KEY, value(10)));
        CompletableFuture<Void> held = cluster.tier.holdReads();
        List<Future<byte[]>> gets = fillTheBound();
        CountDownLatch answers = cluster.transport.hold(); // so that this thread does not run the callback
        Future<CompletableFuture<byte[]>> asked =
                cluster.store.lookup("/t").toCompletableFuture().thenApply(node -> cluster.store.get(KEY));
        answers.countDown();
        CompletableFuture<byte[]> fromCallback = get(asked);
        held.complete(null);
        gets.add(fromCallback);
        assertAllGive(value(10), gets);
    }

    @Test
    void shouldTakeACallFromTheCallbackOfACloseWhenTheBoundIsFull() throws Exception {
        get(cluster.store.put(KEY, value(10)));
        CrailOutputStream stream = cluster.file("/f").getDirectOutputStream(0);
        CompletableFuture<Void> heldWrite = cluster.tier.holdWrites(); // so that the close ends behind the callback
        Future<CrailResult> write = stream.write(TestCluster.buffer(value(10)));
        CompletableFuture<Void> held = cluster.tier.holdReads();
        List<Future<byte[]>> gets = fillTheBound();
        CompletableFuture<CompletableFuture<byte[]>> called =
                stream.closeAsync().thenApply(done -> cluster.store.get(KEY));
        heldWrite.complete(null);
        CompletableFuture<byte[]> fromCallback = get(called);
        held.complete(null);
        assertThat(write.get().getLen()).isEqualTo(10);
        gets.add(fromCallback);
        assertAllGive(value(10), gets);
    }

    @Test
    void shouldNotFailACallWhoseThreadIsInterruptedWhileItWaitsForRoom() throws Exception {
        get(cluster.store.put(KEY, value(10)));
        CompletableFuture<Void> held = cluster.tier.holdReads();
        List<Future<byte[]>> gets = fillTheBound();
        Thread.currentThread().interrupt();
        gets.add(cluster.store.get(KEY));
        assertThat(Thread.interrupted()).as("flag").isTrue();
        held.complete(null);
        assertAllGive(value(10), gets);
    }

    @Test
    void shouldStayInFlightWhileATransferUsesTheMemory() throws Exception {
        get(cluster.store.put(KEY, value(10)));
        CompletableFuture<Void> held = cluster.tier.holdReads();
        ByteBuffer target = ByteBuffer.allocate(20);
        CompletableFuture<Integer> call = cluster.store.get(KEY, target);
        assertThatThrownBy(() -> get(call.orTimeout(1, TimeUnit.MILLISECONDS)))
                .hasCauseInstanceOf(TimeoutException.class);
        assertThat(get(call.completeOnTimeout(7, 1, TimeUnit.MILLISECONDS))).isEqualTo(7);
        assertThat(call.complete(1)).isFalse();
        assertThat(call.completeExceptionally(new IllegalStateException())).isFalse();
        assertThat(call.cancel(true)).isFalse();
        call.obtrudeValue(1);
        call.obtrudeException(new IllegalStateException());
        call.completeAsync(() -> 1, Runnable::run);
        assertThat(call).isNotDone();
        held.complete(null);
        assertThat(get(call)).isEqualTo(10);
        assertThat(target.position()).isEqualTo(10);
    }

    @Test
    void shouldStoreTheSameBytesWhenAPutBeginsAgain() throws Exception {
        ByteBuffer value = ByteBuffer.wrap(value(100));
        value.position(20).limit(70);
        byte[] expected = new byte[50];
        value.duplicate().get(expected);
        CompletableFuture<Void> held = cluster.tier.holdWrites();
        Future<Void> put = cluster.store.put(KEY, value);
        await(() -> cluster.tier.inFlight() == 1);
        value.clear().position(5);
        assertThat(get(cluster.newStore().lookup("/t").get().asTable().delete("k")))
                .isTrue();
        held.complete(null);
        get(put);
        assertThat(cluster.store.metadataCalls().calls(Operation.CREATE))
                .as("of the table, and attempts")
                .isEqualTo(3);
        assertThat(get(cluster.store.get(KEY))).isEqualTo(expected);
    }

    /** Somebody always has a get in flight. */
    @Test
    void shouldFindRoomForALongValueBesideCallsThatNeverPause() throws Exception {
        int length = (int) CallBound.MOST_BYTES + 1;
        restart(new TestCluster(70, 1 << 20, 0));
        get(cluster.store.put(KEY, value(10)));
        CompletableFuture<Void> held = cluster.tier.holdReads();
        Future<byte[]> first = cluster.store.get(KEY);
        await(() -> cluster.tier.inFlight() == 1);

        CompletableFuture<Void> put = new CompletableFuture<>();
        new Thread(() -> cluster.store
                        .put("/t/long", ByteBuffer.allocateDirect(length))
                        .thenAccept(put::complete))
                .start();
        await(() -> cluster.store.values().bound().waiting() == 1);

        CompletableFuture<Void> heldToo = cluster.tier.holdReads();
        Future<byte[]> second = getFromCallback();
        held.complete(null);
        assertThat(get(first)).isEqualTo(value(10));
        get(put);
        heldToo.complete(null);
        assertThat(get(second)).isEqualTo(value(10));
    }

    private Future<byte[]> getFromCallback() {
        Callbacks.enter();
        try {
            return cluster.store.get(KEY);
        } finally {
            Callbacks.leave();
        }
    }

    @Test
    void shouldBoundTheBytesOfGets() throws Exception {
        int length = 1 << 20;
        restart(new TestCluster(4, length, 0));
        get(cluster.store.put(KEY, value(length)));
        CompletableFuture<Void> held = cluster.tier.holdReads();
        CountDownLatch answers = cluster.transport.hold();
        List<Future<byte[]>> gets = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            gets.add(cluster.store.get(KEY));
        }
        answers.countDown();
        cluster.transport.settle();
        assertThat(cluster.tier.inFlight()).isEqualTo(64);
        held.complete(null);
        assertAllGive(value(length), gets);
    }

    @Test
    void shouldCountTheBytesOfTheLatestAttempt() throws Exception {
        get(cluster.store.put(KEY, value(10)));
        CompletableFuture<Void> held = cluster.tier.holdReads();
        Future<byte[]> value = cluster.store.get(KEY);
        await(() -> cluster.tier.inFlight() == 1);
        CallBound bound = cluster.store.values().bound();
        assertThat(bound.bytes()).isEqualTo(10);

        CoreDataStore other = cluster.newStore();
        get(other.put(KEY, value(1_000)));
        cluster.pass(TestCluster.TOKEN_MS);
        CompletableFuture<Void> heldToo = cluster.tier.holdReads();
        held.complete(null);
        await(() -> bound.bytes() == 1_000); // none while the value is looked up once more
        heldToo.complete(null);
        assertThat(get(value)).isEqualTo(value(1_000));
        assertThat(bound.bytes()).isZero();
        assertThat(bound.calls()).isZero();
    }

    /** More than may be in flight; who calls waits, so that the bound is kept. */
    @Test
    void shouldLetOneThreadCallWithoutCounting() throws Exception {
        get(cluster.store.put(KEY, value(10)));
        CallBound bound = cluster.store.values().bound();
        List<Future<byte[]>> gets = new ArrayList<>();
        int most = 0;
        for (int i = 0; i < 3 * CallBound.MOST_CALLS; i++) {
            gets.add(cluster.store.get(KEY));
            most = Math.max(most, bound.calls());
        }
        assertThat(most).isBetween(1, CallBound.MOST_CALLS);
        assertAllGive(value(10), gets);
    }

    /** Each begins the next one, deep in the line. */
    @Test
    void shouldEndManyThatWaitThoughEachEndsAtOnce() throws Exception {
        get(cluster.store.put(KEY, value(10)));
        CompletableFuture<Void> held = cluster.tier.holdReads();
        List<Future<byte[]>> gets = fillTheBound();
        List<Future<byte[]>> waiting = new ArrayList<>();
        for (int i = 0; i < 3 * CallBound.MOST_CALLS; i++) {
            waiting.add(getFromCallback());
        }
        assertThat(cluster.store.values().bound().calls()).isEqualTo(CallBound.MOST_CALLS);
        cluster.tier.mapped = block -> true;
        held.complete(null);
        assertAllGive(value(10), gets);
        assertAllGive(value(10), waiting);
    }

    @Test
    void shouldCopyAValueWithoutAStream() throws Exception {
        cluster.tier.mapped = block -> true;
        get(cluster.store.put(KEY, value(BUFFER)).copy());
        assertThat(get(cluster.store.get(KEY).copy())).isEqualTo(value(BUFFER));
        get(cluster.store.put(KEY, value(100)).copy());
        assertThat(get(cluster.store.get(KEY).copy())).isEqualTo(value(100));
        assertThat(cluster.store.runtime().streams().statistics().printStatistics())
                .startsWith("open 2, close 2,"); // of the value that is longer than a block
    }

    /** A block whose lease has ended may have become another node's while it was copied. */
    @Test
    void shouldNotBelieveACopyWhoseLeaseHasEnded() throws Exception {
        get(cluster.store.put(KEY, value(10)));
        cluster.tier.mapped = block -> true;
        AtomicInteger copies = new AtomicInteger();
        cluster.tier.onCopied = () -> {
            if (copies.incrementAndGet() == 1) {
                passALease();
            }
        };
        assertThat(get(cluster.store.get(KEY).copy())).isEqualTo(value(10));
        assertThat(cluster.store.transfers().reads()).as("copy and transfer").isEqualTo(2);

        copies.set(0);
        get(cluster.store.put(KEY, value(11)).copy());
        assertThat(cluster.store.transfers().writes()).as("of both puts").isEqualTo(3);
        cluster.tier.onCopied = () -> {};
        assertThat(get(cluster.store.get(KEY))).isEqualTo(value(11));
    }

    private void passALease() {
        try {
            cluster.pass(TestCluster.TOKEN_MS / 2);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldTransferWhatCannotBeCopied() throws Exception {
        get(cluster.store.put(KEY, value(10)));
        cluster.tier.mapped = block -> true;
        cluster.tier.failNext(access -> true, new StorageFailureException("for this test"));
        assertThat(get(cluster.store.get(KEY))).isEqualTo(value(10));
        cluster.tier.failNext(access -> true, new StorageFailureException("for this test"));
        get(cluster.store.put(KEY, value(11)));
        assertThat(get(cluster.store.get(KEY))).isEqualTo(value(11));
    }

    @Test
    void shouldCreateAgainWhenTheTokenHasBeenGivenUp() throws Exception {
        var conf = TestCluster.clientConfiguration();
        conf.set("crail.rpctimeout", "300s");
        CoreDataStore store = cluster.newStore(conf);
        CountDownLatch held = cluster.transport.hold();
        CompletableFuture<Void> put = store.put(KEY, value(10));
        cluster.pass(2 * TestCluster.TOKEN_MS);
        held.countDown();
        get(put.copy());
        assertThat(get(store.get(KEY))).isEqualTo(value(10));
    }

    @Test
    void shouldRefuseMemoryThatCannotBeFilled() throws Exception {
        get(cluster.store.put(KEY, value(10)));
        cluster.tier.mapped = block -> true;
        assertFails(
                InvalidRequestException.class,
                cluster.store.get(KEY, ByteBuffer.allocate(10).asReadOnlyBuffer()));
    }
}

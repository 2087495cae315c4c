/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.error.TokenMismatchException;
import org.apache.crail.error.TokenTakenException;
import org.apache.crail.rpc.message.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StreamTest {
    private static final int BLOCK = TestCluster.BLOCK;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void shouldTellOnceInATraceThatTheStoreIsFull() throws Exception {
        CrailFile file = cluster.file("/f");
        StringWriter trace = new StringWriter();
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(0)) {
            out.write(new byte[100 * BLOCK]);
        } catch (NoFreeBlocksException e) {
            e.printStackTrace(new PrintWriter(trace, true));
        }
        assertThat(trace.toString()).containsOnlyOnce("none of 64 blocks is free");
    }

    @Test
    void shouldSayWhatAFutureIsFor() throws Exception {
        CrailFile file = cluster.file("/f");
        CrailOutputStream out = file.getDirectOutputStream(0);
        assertThat(out.write(TestCluster.space(100))).hasToString("writing 100 bytes of /f");
        out.close();
        CrailInputStream in = cluster.lookup("/f").getDirectInputStream(0);
        assertThat(in.read(TestCluster.space(64))).hasToString("reading 64 bytes of /f");
        in.close();
    }

    /** D10: reads that begin inside the buffer or cross blocks fill exactly the space between position and limit. */
    @Test
    void shouldReadAcrossBlocksIntoTheMiddleOfABuffer() throws Exception {
        byte[] bytes = TestCluster.pattern(3 * BLOCK + 17, 5);
        TestCluster.write(cluster.file("/f"), bytes);
        CrailInputStream in = cluster.lookup("/f").getDirectInputStream(0);
        in.seek(BLOCK - 10);
        CrailBuffer buffer = TestCluster.space(3 * BLOCK);
        buffer.position(7).limit(7 + 2 * BLOCK);
        Future<CrailResult> read = in.read(buffer);
        assertThat(buffer.position()).isEqualTo(7 + 2 * BLOCK);
        assertThat(in.position()).isEqualTo(3 * BLOCK - 10);
        assertThat(read.get().getLen()).isEqualTo(2 * BLOCK);
        for (int i = 0; i < 2 * BLOCK; i++) {
            assertThat(buffer.getByteBuffer().get(7 + i)).isEqualTo(bytes[BLOCK - 10 + i]);
        }
        buffer.clear();
        assertThat(buffer.get()).isZero();
        in.close();
    }

    @Test
    void shouldReadToTheEndAndThenGiveNull() throws Exception {
        TestCluster.write(cluster.file("/f"), TestCluster.pattern(100, 1));
        CrailInputStream in = cluster.lookup("/f").getDirectInputStream(100);
        assertThat(in.available()).isEqualTo(100);
        CrailBuffer buffer = TestCluster.space(BLOCK);
        assertThat(in.read(buffer).get().getLen()).isEqualTo(100);
        assertThat(buffer.limit()).isEqualTo(100);
        assertThat(in.read(buffer)).isNull();
        in.seek(50);
        assertThat(in.read(TestCluster.space(0)).get().getLen()).isZero();
        assertThatThrownBy(() -> in.seek(101)).isInstanceOf(PositionOutOfRangeException.class);
        in.close();
        assertThatThrownBy(() -> in.read(buffer)).isInstanceOf(ClosedException.class);
    }

    @Test
    void shouldGrowOnlyWithCompletedWrites() throws Exception {
        CrailFile file = cluster.file("/f");
        CrailOutputStream out = file.getDirectOutputStream(0);
        CompletableFuture<Void> held = cluster.tier.hold();
        Future<CrailResult> first = out.write(TestCluster.buffer(TestCluster.pattern(100, 1)));
        assertThat(out.position()).isEqualTo(100);
        assertThat(file.getCapacity()).isZero();
        held.complete(null);
        first.get();
        assertThat(file.getCapacity()).isEqualTo(100);
        out.close();
    }

    @Test
    @Timeout(60)
    void shouldBringTheTransferForwardThatItWaitsFor() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        out.write(TestCluster.buffer(TestCluster.pattern(10, 1))).get(); // from now on the block is known
        CompletableFuture<Void> held = cluster.tier.hold();
        Future<CrailResult> write = out.write(TestCluster.buffer(TestCluster.pattern(100, 1)));
        assertThatThrownBy(() -> write.get(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        cluster.tier.onAdvance = () -> held.complete(null);
        assertThat(write.get().getLen()).isEqualTo(100);
        out.close();
    }

    @Test
    @Timeout(60)
    void shouldTransferAllBlocksAtTheSameTime() throws Exception {
        byte[] bytes = TestCluster.pattern(10 * BLOCK, 1);
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(bytes.length);
        assertBegins(10, () -> out.write(TestCluster.buffer(bytes)));
        out.close();

        CrailInputStream in = cluster.lookup("/f").getDirectInputStream(bytes.length);
        CrailBuffer space = TestCluster.space(bytes.length);
        assertBegins(10, () -> in.read(space));
        in.close();
        assertThat(TestCluster.read(cluster.lookup("/f"))).isEqualTo(bytes);
    }

    /** Makes sure that an operation has begun so many transfers before one of them ends. */
    private void assertBegins(int transfers, Callable<Future<CrailResult>> operation) throws Exception {
        CompletableFuture<Void> held = cluster.tier.hold();
        Future<CrailResult> result = operation.call();
        while (cluster.tier.inFlight() < transfers) {
            assertThatThrownBy(() -> result.get(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        }
        held.complete(null);
        assertThat(result.get().getLen()).isEqualTo(transfers * (long) BLOCK);
    }

    @Test
    void shouldOrderASyncBehindTheWritesInFlight() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        CompletableFuture<Void> held = cluster.tier.hold();
        Future<CrailResult> write = out.write(TestCluster.buffer(TestCluster.pattern(100, 1)));
        Future<Void> sync = out.sync();
        assertThat(sync.isDone()).isFalse();
        assertThat(cluster.lookup("/f").getCapacity()).isZero();
        held.complete(null);
        sync.get();
        assertThat(cluster.lookup("/f").getCapacity()).isEqualTo(100);
        assertThat(write.get().getLen()).isEqualTo(100);
        out.close();
    }

    /** D35: nobody has to ask a future for its operation to finish. */
    @Test
    void shouldCloseAfterTheWritesThatNobodyAskedFor() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        byte[] bytes = TestCluster.pattern(3 * BLOCK, 2);
        List<Future<CrailResult>> ignored = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            byte[] part = java.util.Arrays.copyOfRange(bytes, i * BLOCK / 4, (i + 1) * BLOCK / 4);
            ignored.add(out.write(TestCluster.buffer(part)));
        }
        out.close();
        assertThat(TestCluster.read(cluster.lookup("/f"))).isEqualTo(bytes);
    }

    @Test
    void shouldWaitForReadsInFlightWhenClosed() throws Exception {
        TestCluster.write(cluster.file("/f"), TestCluster.pattern(100, 1));
        CrailInputStream in = cluster.lookup("/f").getDirectInputStream(100);
        CompletableFuture<Void> held = cluster.tier.hold();
        Future<CrailResult> read = in.read(TestCluster.space(100));
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
            try {
                in.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(read.isDone()).isFalse();
        held.complete(null);
        closing.get();
        assertThat(read.isDone()).isTrue();
    }

    @Test
    void shouldAllowOneOutputStreamAtATimeAndAppendAfterwards() throws Exception {
        CrailFile file = cluster.file("/f");
        CrailOutputStream out = file.getDirectOutputStream(0);
        assertThatThrownBy(() -> file.getDirectOutputStream(0))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("Only one concurrent output stream");
        out.write(TestCluster.buffer(TestCluster.pattern(100, 1))).get();
        out.close();
        CrailOutputStream again = file.getDirectOutputStream(0);
        assertThat(again.position()).isEqualTo(100);
        again.write(TestCluster.buffer(TestCluster.pattern(BLOCK, 2))).get();
        again.close();
        assertThat(cluster.lookup("/f").getCapacity()).isEqualTo(100 + BLOCK);
    }

    @Test
    void shouldAppendToALookedUpFileOnlyWhenAskedTo() throws Exception {
        TestCluster.write(cluster.file("/f"), TestCluster.pattern(100, 1));
        CrailFile found = cluster.lookup("/f");
        assertThatThrownBy(() -> found.getDirectOutputStream(0))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("read mode");
        CrailOutputStream out = found.openForAppend(0);
        assertThatThrownBy(() -> cluster.lookup("/f").openForAppend(0)).isInstanceOf(TokenTakenException.class);
        out.write(TestCluster.buffer(TestCluster.pattern(50, 1))).get();
        out.close();
        assertThat(cluster.lookup("/f").getCapacity()).isEqualTo(150);
    }

    /** D17: a writer that was taken over learns it. */
    @Test
    void shouldTellAWriterThatAnotherTookOver() throws Exception {
        CrailFile file = cluster.file("/f");
        CrailOutputStream out = file.getDirectOutputStream(0);
        out.write(TestCluster.buffer(TestCluster.pattern(10, 1))).get();
        Future<Void> sync = out.sync();
        sync.get();
        cluster.pass(2 * TestCluster.TOKEN_MS);
        CrailOutputStream other = cluster.lookup("/f").openForAppend(0);
        assertThatThrownBy(() -> {
                    Object ignored = out.write(TestCluster.buffer(TestCluster.pattern(10, 2)))
                            .get();
                })
                .hasRootCauseInstanceOf(TokenMismatchException.class);
        assertThatThrownBy(out::close).isInstanceOf(TokenMismatchException.class);
        other.write(TestCluster.buffer(TestCluster.pattern(10, 3))).get();
        other.close();
        assertThat(TestCluster.read(cluster.lookup("/f")))
                .startsWith(TestCluster.pattern(10, 1))
                .hasSize(20);
    }

    @Test
    void shouldKeepTheTokenOfASlowWriter() throws Exception {
        CoreFile file = (CoreFile) cluster.file("/f");
        CoreOutputStream out = (CoreOutputStream) file.getDirectOutputStream(0);
        for (int i = 0; i < 6; i++) {
            cluster.pass(TestCluster.TOKEN_MS / 3);
            long syncs = cluster.store.metadataCalls().calls(Operation.SYNC);
            out.renewTokenIfOlderThan(
                    TestCluster.TOKEN_MS * 1_000_000 / 6,
                    cluster.store.parts().blocks().nowNs());
            assertThat(cluster.store.metadataCalls().calls(Operation.SYNC)).isEqualTo(syncs + 1);
            cluster.store.ping();
        }
        assertThatThrownBy(() -> cluster.lookup("/f").openForAppend(0)).isInstanceOf(TokenTakenException.class);
        out.close();
    }

    /** D17: a writer is not taken over while its last bytes are on their way. */
    @Test
    void shouldKeepTheTokenWhileClosingWaitsForWrites() throws Exception {
        CoreFile file = (CoreFile) cluster.file("/f");
        CoreOutputStream out = (CoreOutputStream) file.getDirectOutputStream(0);
        CompletableFuture<Void> held = cluster.tier.hold();
        Future<CrailResult> write = out.write(TestCluster.buffer(TestCluster.pattern(100, 1)));
        FutureTask<Void> closing = new FutureTask<>(() -> {
            out.close();
            return null;
        });
        new Thread(closing, "closing").start();
        while (!out.isClosed()) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < 6; i++) {
            cluster.pass(TestCluster.TOKEN_MS / 3);
            out.renewTokenIfOlderThan(
                    TestCluster.TOKEN_MS * 1_000_000 / 6,
                    cluster.store.parts().blocks().nowNs());
            cluster.store.ping();
        }
        assertThat(file.tokenFree()).isFalse();
        assertThatThrownBy(() -> file.getDirectOutputStream(0)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> cluster.lookup("/f").openForAppend(0)).isInstanceOf(TokenTakenException.class);
        held.complete(null);
        closing.get();
        assertThat(write.get().getLen()).isEqualTo(100);
        assertThat(file.tokenFree()).isTrue();
        assertThat(TestCluster.read(cluster.lookup("/f"))).isEqualTo(TestCluster.pattern(100, 1));
        file.getDirectOutputStream(0).close();
    }

    @Test
    void shouldFailEverythingBehindAFailedWriteAndKeepWhatCameBefore() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        out.write(TestCluster.buffer(TestCluster.pattern(100, 1))).get();
        cluster.tier.failNext(HeapTier.Access::write, new StorageFailureException("broken"));
        Future<CrailResult> failing = out.write(TestCluster.buffer(TestCluster.pattern(100, 1)));
        assertThatThrownBy(failing::get).hasCauseInstanceOf(StorageFailureException.class);
        assertThatThrownBy(() -> out.write(TestCluster.buffer(TestCluster.pattern(1, 1))))
                .isInstanceOf(StorageFailureException.class);
        assertThatThrownBy(out::sync).isInstanceOf(StorageFailureException.class);
        assertThatThrownBy(out::close).isInstanceOf(StorageFailureException.class);
        assertThat(cluster.lookup("/f").getCapacity()).isEqualTo(100);
        cluster.pass(TestCluster.TOKEN_MS); // until then, the failed write might still arrive
        cluster.lookup("/f").openForAppend(0).close();
    }

    @Test
    void shouldFillTheStoreToItsLastBlockAndThenFailTyped() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        int written = 0;
        Throwable failure = null;
        while (failure == null && written < 100) {
            try {
                out.write(TestCluster.buffer(TestCluster.pattern(BLOCK, written)))
                        .get();
                written++;
            } catch (java.util.concurrent.ExecutionException e) {
                failure = e.getCause();
            }
        }
        assertThat(failure).isInstanceOf(NoFreeBlocksException.class);
        assertThat(cluster.checkBlocks().free()).isZero();
        assertThatThrownBy(out::close).isInstanceOf(NoFreeBlocksException.class);
        assertThat(cluster.lookup("/f").getCapacity()).isEqualTo((long) written * BLOCK);
    }

    @Test
    void shouldAskAgainWhenTheDatanodeSaysThatABlockIsStale() throws Exception {
        byte[] bytes = TestCluster.pattern(100, 1);
        TestCluster.write(cluster.file("/f"), bytes);
        CrailFile file = cluster.lookup("/f");
        cluster.tier.failNext(access -> true, new StaleBlockException("given away"));
        assertThat(TestCluster.read(file)).isEqualTo(bytes);
        cluster.tier.failNext(access -> true, new DatanodeUnreachableException("connection reset"));
        assertThat(TestCluster.read(file)).isEqualTo(bytes);
    }

    @Test
    void shouldAskTheNamenodeAgainAfterTheLease() throws Exception {
        byte[] bytes = TestCluster.pattern(100, 1);
        TestCluster.write(cluster.file("/f"), bytes);
        CrailFile file = cluster.lookup("/f");
        long maps = cluster.store.metadataCalls().calls(Operation.MAP);
        cluster.pass(TestCluster.TOKEN_MS / 2);
        assertThat(TestCluster.read(file)).isEqualTo(bytes);
        assertThat(cluster.store.metadataCalls().calls(Operation.MAP)).isEqualTo(maps + 1);
    }

    @Test
    void shouldConfirmATransferThatOutlastedItsLease() throws Exception {
        byte[] bytes = TestCluster.pattern(100, 1);
        TestCluster.write(cluster.file("/f"), bytes);
        CrailInputStream in = cluster.lookup("/f").getDirectInputStream(0);
        CompletableFuture<Void> held = cluster.tier.hold();
        Future<CrailResult> read = in.read(TestCluster.space(100));
        cluster.pass(TestCluster.TOKEN_MS / 2);
        held.complete(null);
        assertThat(read.get().getLen()).isEqualTo(100);
        assertThat(cluster.store.transfers().reads()).isEqualTo(1);
        in.close();
    }

    @Test
    void shouldNeverGiveForeignBytesToAReaderThatWasPaused() throws Exception {
        TestCluster.write(cluster.file("/f"), TestCluster.pattern(100, 1));
        CoreDataStore other = cluster.newStore();
        CrailFile file = other.lookup("/f").get().asFile();
        CrailInputStream in = file.getDirectInputStream(0);
        CompletableFuture<Void> held = cluster.tier.hold();
        Future<CrailResult> read = in.read(TestCluster.space(100));
        cluster.store.delete("/f", false).get();
        cluster.pass(2 * TestCluster.TOKEN_MS);
        held.complete(null);
        assertThatThrownBy(read::get)
                .hasCauseInstanceOf(StaleNodeException.class)
                .cause()
                .hasMessageContaining("/f")
                .hasNoCause();
        in.close();
    }

    @Test
    void shouldFailAtOnceOnAFileThatThisStoreDeleted() throws Exception {
        TestCluster.write(cluster.file("/f"), TestCluster.pattern(100, 1));
        CrailFile file = cluster.lookup("/f");
        cluster.store.delete("/f", false).get();
        assertThatThrownBy(() -> TestCluster.read(file)).hasRootCauseInstanceOf(StaleNodeException.class);
    }

    @Test
    void shouldReadAKeyValueThatThisStoreReplacedUntilItsLeaseEnds() throws Exception {
        cluster.create("/t", CrailNodeType.TABLE);
        TestCluster.write(cluster.create("/t/k", CrailNodeType.KEYVALUE).asKeyValue(), TestCluster.pattern(10, 1));
        CrailFile old = cluster.store.lookup("/t/k").get().asKeyValue();
        TestCluster.write(cluster.create("/t/k", CrailNodeType.KEYVALUE).asKeyValue(), TestCluster.pattern(20, 2));
        assertThat(TestCluster.read(old)).isEqualTo(TestCluster.pattern(10, 1));
        cluster.pass(TestCluster.TOKEN_MS);
        assertThatThrownBy(() -> TestCluster.read(old)).hasRootCauseInstanceOf(StaleNodeException.class);
        assertThat(TestCluster.read(cluster.store.lookup("/t/k").get().asKeyValue()))
                .isEqualTo(TestCluster.pattern(20, 2));
    }

    @Test
    void shouldRefuseABufferThatIsInUseWhenDebugging() throws Exception {
        var conf = TestCluster.clientConfiguration();
        conf.set("crail.debug", "true");
        CoreDataStore store = cluster.newStore(conf);
        CrailOutputStream out =
                TestCluster.create(store, "/f", CrailNodeType.DATAFILE).asFile().getDirectOutputStream(0);
        CompletableFuture<Void> held = cluster.tier.hold();
        CrailBuffer buffer = TestCluster.buffer(TestCluster.pattern(10, 1));
        Future<CrailResult> write = out.write(buffer);
        buffer.clear();
        assertThatThrownBy(() -> out.write(buffer)).hasMessageContaining("already in use");
        held.complete(null);
        write.get();
        buffer.clear();
        assertThat(out.write(buffer).get().getLen()).isEqualTo(10);
        out.close();
    }
}

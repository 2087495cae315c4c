/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.error.TokenTakenException;
import org.apache.crail.rpc.message.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A close of which the namenode has nothing to learn does not wait for it. */
class SilentCloseTest {
    private static final int ATTEMPTS = 50;
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

    private static <T> FutureTask<T> inBackground(Callable<T> callable) {
        FutureTask<T> task = new FutureTask<>(callable);
        new Thread(task, "background").start();
        return task;
    }

    private static FutureTask<Void> closing(AutoCloseable closeable) {
        return inBackground(() -> {
            closeable.close();
            return null;
        });
    }

    private void closeWhileTheNamenodeIsSilent(CrailOutputStream out) throws Exception {
        CountDownLatch held = cluster.transport.hold();
        out.close();
        held.countDown();
        cluster.transport.settle();
    }

    private static void assertThatItWaits(FutureTask<Void> closing) {
        assertThatThrownBy(() -> closing.get(A_WHILE_MS, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }

    private void assertThatAnotherStoreCanAppend(int bytesBefore) throws Exception {
        CoreDataStore other = cluster.newStore();
        CrailOutputStream out = other.lookup("/f").get().asFile().openForAppend(0);
        assertThat(other.metadataCalls().calls(Operation.LOOKUP)).isEqualTo(2);
        out.write(TestCluster.buffer(TestCluster.pattern(10, 2))).get();
        out.close();
        assertThat(cluster.lookup("/f").getCapacity()).isEqualTo(bytesBefore + 10);
    }

    @Test
    void shouldNotWaitIfNothingWasWritten() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        closeWhileTheNamenodeIsSilent(out);
        assertThatAnotherStoreCanAppend(0);
    }

    @Test
    void shouldNotWaitIfAllHasBeenSynced() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        out.write(TestCluster.buffer(TestCluster.pattern(100, 1))).get();
        out.sync().get();
        closeWhileTheNamenodeIsSilent(out);
        assertThatAnotherStoreCanAppend(100);
    }

    @Test
    void shouldWaitForTheSyncThatIsStillOnItsWay() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        out.write(TestCluster.buffer(TestCluster.pattern(100, 1))).get();
        CountDownLatch held = cluster.transport.hold();
        Future<Void> sync = out.sync();
        FutureTask<Void> closing = closing(out);
        assertThatItWaits(closing);
        held.countDown();
        closing.get();
        assertThat(sync.isDone()).isTrue();
        assertThatAnotherStoreCanAppend(100);
    }

    @Test
    void shouldGiveTheTokenBackBeforeTheStoreIsClosed() throws Exception {
        CoreDataStore own = cluster.newStore();
        CrailOutputStream out =
                TestCluster.create(own, "/f", CrailNodeType.DATAFILE).asFile().getDirectOutputStream(0);
        CountDownLatch held = cluster.transport.hold();
        out.close();
        FutureTask<Void> closing = closing(own);
        assertThatItWaits(closing);
        held.countDown();
        closing.get();
        assertThatAnotherStoreCanAppend(0);
    }

    @Test
    void shouldGiveTheTokenBackAfterABrokenConnection() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        CountDownLatch held = cluster.transport.hold();
        cluster.transport.breakConnections();
        out.close();
        held.countDown();
        assertThat(cluster.lookup("/f").getCapacity()).isZero();
        assertThatAnotherStoreCanAppend(0);
    }

    @Test
    void shouldWaitForTheCloseOfAValue() throws Exception {
        cluster.create("/t", CrailNodeType.TABLE);
        CrailOutputStream out =
                cluster.create("/t/k", CrailNodeType.KEYVALUE).asKeyValue().getDirectOutputStream(0);
        CountDownLatch held = cluster.transport.hold();
        FutureTask<Void> closing = closing(out);
        assertThatItWaits(closing);
        held.countDown();
        closing.get();
    }

    @Test
    void shouldLetAnAppendWaitForAWriterThatCloses() throws Exception {
        boolean hasWaited = false;
        for (int i = 0; i < ATTEMPTS && !hasWaited; i++) {
            String path = "/f" + i;
            CrailOutputStream out = cluster.file(path).getDirectOutputStream(0);
            CoreDataStore other = cluster.newStore();
            FutureTask<CrailOutputStream> appending =
                    inBackground(() -> other.lookup(path).get().asFile().openForAppend(0));
            while (other.metadataCalls().calls(Operation.LOOKUP) < 3 && !appending.isDone()) {
                Thread.onSpinWait();
            }
            out.close();
            hasWaited = isDone(appending);
        }
        assertThat(hasWaited).isTrue();
    }

    /** Whether the token was given; not so if this machine was so slow that the other writer closed too late. */
    private static boolean isDone(FutureTask<CrailOutputStream> appending) throws Exception {
        try {
            appending.get().close();
            return true;
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(TokenTakenException.class);
            return false;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.TokenMismatchException;
import org.apache.crail.error.TokenTakenException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** D17: writers of one file take each other over; the clock jumps while they write, which ends their tokens. */
class WriterTakeOverTest {
    private static final int WRITERS = 4;
    private static final int MOST_RECORDS = 800;

    private final Set<Integer> written = ConcurrentHashMap.newKeySet();
    private final AtomicInteger ids = new AtomicInteger();
    private final AtomicInteger early = new AtomicInteger();
    private final AtomicInteger takenOver = new AtomicInteger();
    private final AtomicBoolean stop = new AtomicBoolean();
    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(1024);
        TestCluster.write(cluster.file("/f"), new byte[0]);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    /** A transfer that is held back in a slow process must not time out. */
    private static CrailConfiguration patient() {
        CrailConfiguration configuration = TestCluster.clientConfiguration();
        configuration.set("crail.rpctimeout", "100s");
        configuration.set("crail.datatimeout", "100s");
        return configuration;
    }

    /** A record that tells its own length and content; a block holds some four of them. */
    private static byte[] record(int id) {
        byte[] bytes = TestCluster.pattern(600 + id % 701, id);
        ByteBuffer.wrap(bytes).putInt(0, id);
        return bytes;
    }

    private void keepWriting(CoreDataStore store) throws Exception {
        while (!stop.get()) {
            try {
                append(store, ids.incrementAndGet());
            } catch (TokenTakenException e) {
                early.incrementAndGet();
            } catch (TokenMismatchException e) {
                takenOver.incrementAndGet();
            }
        }
    }

    private void append(CoreDataStore store, int id) throws Exception {
        CrailOutputStream out = store.lookup("/f").get().asFile().openForAppend(0);
        try {
            out.write(TestCluster.buffer(record(id))).get();
        } catch (ExecutionException e) {
            assertThat(e).hasRootCauseInstanceOf(TokenMismatchException.class);
        } finally {
            out.close(); // fails again with what a write failed with
        }
        written.add(id);
    }

    @Test
    void shouldKeepRecordsWholeAndTellEachWriterThatWasTakenOver() throws Exception {
        CompletableFuture<Void> held = cluster.tier.hold();
        List<FutureTask<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            CoreDataStore store = cluster.newStore(patient());
            FutureTask<Void> writer = new FutureTask<>(() -> {
                keepWriting(store);
                return null;
            });
            writers.add(writer);
            new Thread(writer, "writer " + i).start();
        }
        while (written.size() < MOST_RECORDS
                && (written.size() < 50 || takenOver.get() < 20)
                && writers.stream().noneMatch(FutureTask::isDone)) {
            letSomebodyComeTooEarly(writers); // as another one is at work
            cluster.pass(2 * TestCluster.TOKEN_MS);
            letSomebodyComeTooEarly(writers); // as one has taken over
            CompletableFuture<Void> next = cluster.tier.hold();
            held.complete(null);
            held = next;
        }
        stop.set(true);
        cluster.tier.hold().complete(null);
        held.complete(null);
        for (FutureTask<Void> writer : writers) {
            writer.get();
        }

        assertThat(takenOver.get()).as("writers that were taken over").isPositive();
        assertThat(recordsIn(TestCluster.read(cluster.lookup("/f"))))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(written);
        cluster.checkBlocks();
    }

    private void letSomebodyComeTooEarly(List<FutureTask<Void>> writers) {
        int before = early.get();
        int records = written.size();
        while (early.get() == before
                && written.size() < records + 10
                && writers.stream().noneMatch(FutureTask::isDone)) {
            Thread.onSpinWait();
        }
    }

    private static List<Integer> recordsIn(byte[] bytes) {
        List<Integer> found = new ArrayList<>();
        int start = 0;
        while (start < bytes.length) {
            int id = ByteBuffer.wrap(bytes).getInt(start);
            byte[] expected = record(id);
            assertThat(Arrays.copyOfRange(bytes, start, start + expected.length))
                    .as("record %d at %d", id, start)
                    .isEqualTo(expected);
            found.add(id);
            start += expected.length;
        }
        return found;
    }
}

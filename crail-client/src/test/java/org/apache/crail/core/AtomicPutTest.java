/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.StorageFailureException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever reads a key while it is put sees a whole value, the old one or the new one, and no put fails for another. */
@Timeout(120)
class AtomicPutTest {
    private static final int PART = 512;
    private static final int BLOCKS = 16_384;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(BLOCKS, TestCluster.BLOCK, PART);
        cluster.create("/t", CrailNodeType.TABLE);
        put(cluster.store, 100, 0);
    }

    @AfterEach
    void close() throws Exception {
        assertThat(cluster.checkBlocks().problems()).isEmpty();
        cluster.close();
    }

    private static CrailFile create(CoreDataStore store) throws Exception {
        return TestCluster.create(store, "/t/k", CrailNodeType.KEYVALUE).asKeyValue();
    }

    private static void put(CoreDataStore store, int length, int seed) throws Exception {
        TestCluster.write(create(store), TestCluster.pattern(length, seed));
    }

    private static byte[] get(CoreDataStore store) throws Exception {
        return TestCluster.read(store.lookup("/t/k").get().asKeyValue());
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 2_000, 3 * TestCluster.BLOCK})
    void shouldShowWholeValuesOnlyHoweverManyPut(int length) throws Exception {
        int puts = Math.min(200, BLOCKS / 32);
        CoreDataStore second = cluster.newStore();
        List<Callable<Void>> tasks = new ArrayList<>();
        AtomicInteger writing = new AtomicInteger(2);
        for (CoreDataStore store : List.of(cluster.store, second)) {
            tasks.add(() -> {
                for (int i = 0; i < puts; i++) {
                    put(store, length, i);
                }
                writing.decrementAndGet();
                return null;
            });
            tasks.add(() -> {
                while (writing.get() > 0) {
                    byte[] value = get(store);
                    assertThat(value).hasSizeGreaterThanOrEqualTo(100);
                    assertThat(value).isEqualTo(TestCluster.pattern(value.length, seedOf(value)));
                }
                return null;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            for (Future<Void> task : threads.invokeAll(tasks, 100, TimeUnit.SECONDS)) {
                task.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** A value is one of few; whichever begins as it does must be the one that it is. */
    private static int seedOf(byte[] value) {
        for (int seed = 0; seed < 1000; seed++) {
            byte[] pattern = TestCluster.pattern(8, seed);
            if (Arrays.equals(pattern, 0, 8, value, 0, 8)) {
                return seed;
            }
        }
        throw new AssertionError("a value that nobody has put");
    }

    @Test
    void shouldReadTheOldValueWhileANewOneIsBeingWritten() throws Exception {
        CrailOutputStream out = create(cluster.store).getDirectOutputStream(0);
        out.write(TestCluster.buffer(TestCluster.pattern(50, 7))).get();
        assertThat(get(cluster.store)).isEqualTo(TestCluster.pattern(100, 0));
        assertThat(get(cluster.newStore())).isEqualTo(TestCluster.pattern(100, 0));
        out.close();
        assertThat(get(cluster.store)).isEqualTo(TestCluster.pattern(50, 7));
    }

    @Test
    void shouldKeepTheOldValueIfTheTransferOfTheNewOneFails() throws Exception {
        CrailOutputStream out = create(cluster.store).getDirectOutputStream(0);
        cluster.tier.failNext(HeapTier.Access::write, new StorageFailureException("broken"));
        assertThatThrownBy(() -> out.write(TestCluster.buffer(TestCluster.pattern(50, 7)))
                        .get())
                .hasCauseInstanceOf(StorageFailureException.class);
        assertThatThrownBy(out::close).isInstanceOf(StorageFailureException.class);
        assertThat(get(cluster.store)).isEqualTo(TestCluster.pattern(100, 0));
    }

    @Test
    void shouldEndAPutWellThatAnotherOneHasOvertaken() throws Exception {
        CrailOutputStream first = create(cluster.store).getDirectOutputStream(0);
        put(cluster.newStore(), 70, 2);
        first.write(TestCluster.buffer(TestCluster.pattern(50, 1))).get();
        first.close();
        assertThat(get(cluster.store)).isEqualTo(TestCluster.pattern(50, 1));
    }

    @Test
    void shouldListAKeyOnceWhileAndAfterItIsPut() throws Exception {
        CrailFile next = create(cluster.store);
        assertThat(listed()).containsExactly("/t/k");
        TestCluster.write(next, TestCluster.pattern(50, 1));
        assertThat(listed()).containsExactly("/t/k");
    }

    private List<String> listed() throws Exception {
        List<String> names = new ArrayList<>();
        Iterator<String> entries = cluster.store.listEntries("/t");
        entries.forEachRemaining(names::add);
        return names;
    }

    @Test
    void shouldWriteANewNodeAlsoIfItsCreatorHasWaitedForLong() throws Exception {
        CrailFile file = cluster.file("/f");
        cluster.pass(2 * TestCluster.TOKEN_MS);
        TestCluster.write(file, TestCluster.pattern(50, 1));
        assertThat(TestCluster.read(cluster.lookup("/f"))).isEqualTo(TestCluster.pattern(50, 1));
    }

    @Test
    void shouldTellWhoHasWaitedForTooLongWithAPutThatItIsGone() throws Exception {
        CrailFile next = create(cluster.store);
        cluster.pass(2 * TestCluster.TOKEN_MS);
        assertThatThrownBy(() -> next.getDirectOutputStream(0))
                .isInstanceOfSatisfying(
                        CrailException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_NODE));
        assertThat(get(cluster.store)).isEqualTo(TestCluster.pattern(100, 0));
    }

    @Test
    void shouldGiveTheBlocksOfPutsBackThatTheirWritersHaveLeft() throws Exception {
        long before = cluster.checkBlocks().allocated();
        CoreDataStore lost = cluster.newStore();
        for (int i = 0; i < 20; i++) {
            create(lost);
        }
        cluster.pass(2 * TestCluster.TOKEN_MS);
        cluster.pass(TestCluster.TOKEN_MS);
        assertThat(cluster.checkBlocks().allocated()).isEqualTo(before);
    }
}

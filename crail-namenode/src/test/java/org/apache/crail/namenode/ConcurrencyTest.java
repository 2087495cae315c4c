/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.LookupResponse;
import org.junit.jupiter.api.Test;

class ConcurrencyTest {
    private static final int THREADS = 4;
    private static final int STEPS = 15_000;

    private final DataNodeInfo datanode = Fixture.datanode("dn", 0, 0);

    @Test
    void shouldKeepTreeAndBlocksSoundUnderConcurrentChanges() throws Exception {
        Fixture namenode = Fixture.withBlocks(5000);
        namenode.mkdir("/shared");
        namenode.table("/table");
        List<Future<?>> work = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            work.add(threads.submit(() -> {
                churn(namenode, new Random(seed));
                return null;
            }));
        }
        threads.shutdown();
        for (Future<?> part : work) {
            part.get();
        }
        namenode.reclaimAll(datanode);
        CheckResponse check = namenode.check();
        assertThat(check.registered()).isEqualTo(5000);
        assertThat(check.pending()).isZero();
    }

    private static void churn(Fixture namenode, Random random) throws CrailException {
        for (int step = 0; step < STEPS; step++) {
            String file = "/shared/" + random.nextInt(200);
            try {
                switch (random.nextInt(7)) {
                    case 0 -> namenode.extend(namenode.file(file).file(), 2);
                    case 1 -> namenode.remove(file, false);
                    case 2 -> namenode.move(file, "/shared/" + random.nextInt(200));
                    case 3 -> namenode.put("/table/" + random.nextInt(20));
                    case 4 -> namenode.children("/shared", 50);
                    case 5 -> {
                        namenode.clock.advanceMs(1);
                        namenode.heartbeat(Fixture.datanode("dn", 0, 0), 1);
                        namenode.service.reclaim();
                    }
                    default -> readBack(namenode, file);
                }
            } catch (CrailException e) {
                assertThat(e.code())
                        .isIn(
                                ErrorCode.NODE_EXISTS,
                                ErrorCode.NODE_NOT_FOUND,
                                ErrorCode.STALE_NODE,
                                ErrorCode.NO_FREE_BLOCKS,
                                ErrorCode.BLOCKS_PENDING);
            }
        }
    }

    private static void readBack(Fixture namenode, String path) throws CrailException {
        LookupResponse found = namenode.find(path);
        assertThat(found.firstBlock()).isNotNull();
        assertThat(namenode.read(found.file().getFd(), 0, 9)).hasSizeBetween(1, 2);
    }

    /** Optimistic readers see a node that is always there, whatever moves, grows and splits around it. */
    @Test
    void shouldAlwaysFindWhatIsNeverRemoved() throws Exception {
        Fixture namenode = Fixture.withBlocks(50_000);
        namenode.mkdir("/d");
        FileInfo steady = namenode.file("/d/steady").file();
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<Long>> readers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            readers.add(threads.submit(() -> lookUntil(namenode, steady, done)));
        }
        threads.shutdown();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 10_000; i++) {
                namenode.create("/d/" + i, CrailNodeType.DATAFILE, -1, -1, i % 3 == 0);
            }
            for (int i = 0; i < 10_000; i++) {
                namenode.remove("/d/" + i, false);
            }
        }
        done.set(true);
        for (Future<Long> reader : readers) {
            assertThat(reader.get()).isPositive();
        }
        namenode.check();
    }

    private static long lookUntil(Fixture namenode, FileInfo steady, AtomicBoolean done) throws CrailException {
        long lookups = 0;
        do {
            LookupResponse found = namenode.find("/d/steady");
            assertThat(found.file().getFd()).isEqualTo(steady.getFd());
            assertThat(found.firstBlock())
                    .isEqualTo(namenode.read(steady.getFd(), 0, 1).get(0));
            lookups++;
        } while (!done.get());
        return lookups;
    }

    /** Optimistic readers and listings see a key once, whatever is put meanwhile. */
    @Test
    void shouldAlwaysCountOnceWhatIsReplaced() throws Exception {
        Fixture namenode = Fixture.withBlocks(50_000);
        namenode.table("/t");
        namenode.close(namenode.put("/t/k").file(), 1);
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<Long>> readers = List.of(
                threads.submit(() -> countUntil(namenode, done)), threads.submit(() -> listUntil(namenode, done)));
        threads.shutdown();
        for (int i = 0; i < 10_000; i++) {
            FileInfo early = namenode.put("/t/k").file();
            FileInfo late = namenode.put("/t/k").file();
            namenode.sync(early, 1);
            namenode.close(late, 1);
            namenode.close(early, 2);
        }
        done.set(true);
        for (Future<Long> reader : readers) {
            assertThat(reader.get()).isPositive();
        }
        namenode.check();
    }

    private static long countUntil(Fixture namenode, AtomicBoolean done) throws CrailException {
        long looks = 0;
        do {
            assertThat(namenode.info("/t").children()).isEqualTo(1);
            looks++;
        } while (!done.get());
        return looks;
    }

    private static long listUntil(Fixture namenode, AtomicBoolean done) throws CrailException {
        long listings = 0;
        do {
            assertThat(namenode.children("/t", 2)).containsExactly("k");
            listings++;
        } while (!done.get());
        return listings;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.apache.crail.CrailNodeType.DIRECTORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailStore;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.error.TokenMismatchException;
import org.apache.crail.error.TokenTakenException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Test;

/** Many clients and threads at once: a read gives what was written or a typed error, never foreign bytes. */
public abstract class ConcurrencySuite extends ClusterSuite {
    private static final int FILE_BYTES = BLOCK + 1000;
    private static final int RECORD_BYTES = 10_000;

    /** No datanode is lost, however slow the machine is. */
    private static final String KEEPALIVE = Patience.ofMs(1_000);

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .datanodes(2)
                .blocksPerDatanode(96)
                .with("crail.tokenexpiration", Patience.ofMs(1_000))
                .with("crail.storage.keepalive", KEEPALIVE);
    }

    /** Few blocks and a short reclamation delay: blocks change their owners all the time. */
    @Test
    void shouldNeverReadForeignBytesWhileFilesAreDeleted() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger reads = new AtomicInteger();
        AtomicInteger writes = new AtomicInteger();
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int number = i;
            TestClient writer = anotherClient();
            TestClient reader = anotherClient();
            workers.add(() -> replaceFiles(writer, number, stop, writes));
            workers.add(() -> readFiles(reader, stop, reads));
        }
        List<Future<Void>> running = start(workers);
        Await.until(
                "blocks went round a few times",
                Duration.ofSeconds(60),
                () -> (writes.get() > Rounds.of(600) && reads.get() > Rounds.of(200)) || anyDone(running));
        stop.set(true);
        join(running);
    }

    private static void replaceFiles(TestClient writer, int number, AtomicBoolean stop, AtomicInteger writes)
            throws Exception {
        for (int round = 0; !stop.get(); round++) {
            String path = "/w" + number + "-" + round % 8;
            writer.delete(path, false);
            try {
                CrailFile file = writer.createFile(path);
                TestClient.append(file, Pattern.selfDescribing(file.getFd(), FILE_BYTES));
                writes.incrementAndGet();
            } catch (NoFreeBlocksException e) {
                writer.delete(path, false);
            }
        }
    }

    private static void readFiles(TestClient reader, AtomicBoolean stop, AtomicInteger reads) throws Exception {
        for (int round = 0; !stop.get(); round++) {
            var node = reader.lookup("/w" + round % 2 + "-" + round / 2 % 8);
            if (node == null || node.getCapacity() != FILE_BYTES) {
                continue;
            }
            CrailFile file = node.asFile();
            try {
                byte[] bytes = TestClient.read(file);
                assertThat(Pattern.verifySelfDescribing(bytes)).isEqualTo(file.getFd());
                reads.incrementAndGet();
            } catch (StaleNodeException e) {
                // Deleted while it was read.
            }
        }
    }

    /** A handle that is used long after its file was deleted and its blocks were given to others. */
    @Test
    void shouldNotReadBlocksThatWereGivenToOthers() throws Exception {
        client.write("/old", Pattern.of(1, BLOCK));
        TestClient other = anotherClient();
        CrailFile handle = other.lookup("/old").asFile();
        assertThat(TestClient.read(handle)).isEqualTo(Pattern.of(1, BLOCK));
        long others = cluster.checkBlocks().free();
        client.write("/others", new byte[(int) others * BLOCK]);
        client.delete("/old", false);
        AtomicInteger next = new AtomicInteger();
        Await.until("the blocks are reclaimed", () -> cluster.checkBlocks().pending() == 0);
        fill(next);
        assertThat(next).as("values, the last of which found no room").hasValueGreaterThan(1);

        assertThatThrownBy(() -> TestClient.read(handle)).isInstanceOf(StaleNodeException.class);
    }

    private void fill(AtomicInteger next) throws Exception {
        boolean full = false;
        while (!full) {
            try {
                client.write("/new" + next.incrementAndGet(), Pattern.of(1000 + next.get(), BLOCK));
            } catch (NoFreeBlocksException e) {
                full = true;
            }
        }
    }

    /** D17: a writer whose token has expired and been taken over gets an error, never silence. */
    @Test
    void shouldTellAWriterThatAnotherTookOver() throws Exception {
        CrailFile file = client.createFile("/file");
        CrailPath path = CrailPath.parse("/file");
        assertThatThrownBy(() -> cluster.call(new LookupRequest(path, true))).isInstanceOf(TokenTakenException.class);

        FileInfo[] taken = new FileInfo[1];
        Await.until("the token expires", () -> {
            try {
                taken[0] = cluster.call(new LookupRequest(path, true)).file();
                return true;
            } catch (TokenTakenException e) {
                return false;
            }
        });

        assertThat(taken[0].getToken()).isNotZero();
        CrailOutputStream stream = file.getDirectOutputStream(0);
        assertThatThrownBy(() -> TestClient.await(stream.write(TestClient.buffer(new byte[3 * BLOCK]))))
                .isInstanceOf(TokenMismatchException.class);
        assertThatThrownBy(stream::close).isInstanceOf(TokenMismatchException.class);
        cluster.call(new SyncRequest(taken[0].getFd(), taken[0].getToken(), 10, SyncRequest.End.CLOSED));
        assertThat(client.lookup("/file").getCapacity()).isEqualTo(10);
    }

    /** D17: whoever comes too early is told so; one of the writers dies with the token. */
    @Test
    void shouldLetWritersTakeTurnsWithoutLosingARecord() throws Exception {
        client.createFile("/file").getDirectOutputStream(0).close();
        int records = Rounds.of(8);
        AtomicBoolean died = new AtomicBoolean();
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            long firstId = 1_000L * i;
            TestClient own = anotherClient();
            workers.add(() -> {
                for (int record = 0; record < records; record++) {
                    byte[] bytes = Pattern.selfDescribing(firstId + record, RECORD_BYTES);
                    Await.until("it is this writer's turn", () -> isTurnOf(() -> own.append("/file", bytes)));
                }
            });
        }
        workers.add(() -> Await.until(
                "a writer can die",
                () -> isTurnOf(() -> {
                    FileInfo taken = cluster.call(new LookupRequest(CrailPath.parse("/file"), true))
                            .file();
                    died.set(taken.getToken() != 0);
                })));
        joinAll(workers);

        assertThat(died).isTrue();
        byte[] bytes = client.read("/file");
        assertThat(bytes).hasSize(3 * records * RECORD_BYTES);
        Set<Long> found = new HashSet<>();
        for (int start = 0; start < bytes.length; start += RECORD_BYTES) {
            found.add(Pattern.verifySelfDescribing(Arrays.copyOfRange(bytes, start, start + RECORD_BYTES)));
        }
        assertThat(found).hasSize(3 * records);
    }

    private static boolean isTurnOf(Worker writer) throws Exception {
        try {
            writer.run();
            return true;
        } catch (TokenTakenException e) {
            return false;
        }
    }

    @Test
    void shouldKeepTheTokenWhileAStreamIsOpen() throws Exception {
        CrailOutputStream stream = client.createFile("/file").getDirectOutputStream(0);
        CrailPath path = CrailPath.parse("/file");
        long end = System.nanoTime() + Patience.of(Duration.ofSeconds(3)).toNanos();
        Await.until("three times the token's life has passed", () -> {
            assertThatThrownBy(() -> cluster.call(new LookupRequest(path, true)))
                    .isInstanceOf(TokenTakenException.class);
            return System.nanoTime() > end;
        });
        TestClient.await(stream.write(TestClient.buffer(Pattern.of(1, 2 * BLOCK))));
        stream.close();

        assertThat(client.read("/file")).isEqualTo(Pattern.of(1, 2 * BLOCK));
    }

    @Test
    void shouldLetManyThreadsCreateAndDeleteInOneDirectory() throws Exception {
        client.create("/d", DIRECTORY);
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            workers.add(() -> {
                for (int round = 0; round < Rounds.of(12); round++) {
                    client.createFile("/d/t" + number + "-" + round % 5);
                    assertThat(client.list("/d")).contains("t" + number + "-" + round % 5);
                    client.delete("/d/t" + number + "-" + round % 5, false);
                }
            });
        }
        joinAll(workers);

        assertThat(client.list("/d")).isEmpty();
        assertThat(cluster.checkBlocks().nodes()).isEqualTo(2);
    }

    /** D18, D34: the list shows those children that live, whoever came and went beside them. */
    @Test
    void shouldListExactlyTheChildrenThatLive() throws Exception {
        client.create("/d", DIRECTORY);
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            TestClient own = anotherClient();
            workers.add(() -> {
                for (int round = 0; round < Rounds.of(25); round++) {
                    String path = "/d/t" + number + "-" + round;
                    TestClient.await(own.creating(path, DIRECTORY));
                    own.delete(path, false);
                }
                own.create("/d/last" + number, DIRECTORY);
            });
        }
        joinAll(workers);

        assertThat(client.list("/d")).containsExactlyInAnyOrder("last0", "last1", "last2", "last3");
    }

    @Test
    void shouldLetExactlyOneCreatorOfANameWin() throws Exception {
        for (int round = 0; round < Rounds.of(20); round++) {
            String path = "/name" + round;
            AtomicInteger winners = new AtomicInteger();
            List<Worker> workers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                workers.add(() -> {
                    try {
                        TestClient.await(client.creating(path, DATAFILE));
                        winners.incrementAndGet();
                    } catch (NodeExistsException e) {
                        // Another one was first.
                    }
                });
            }
            joinAll(workers);
            assertThat(winners).hasValue(1);
        }
    }

    @Test
    void shouldServe64ThreadsOnOneStore() throws Exception {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            int number = i;
            workers.add(() -> {
                for (int round = 0; round < 2; round++) {
                    String path = "/f" + number + "-" + round;
                    client.write(path, Pattern.of(number, 1000 + round));
                    assertThat(client.read(path)).isEqualTo(Pattern.of(number, 1000 + round));
                    assertThat(client.list("/")).contains("f" + number + "-" + round);
                    client.delete(path, false);
                }
            });
        }
        joinAll(workers);
        assertThat(client.list("/")).isEmpty();
    }

    /** D31: two stores with different configurations work side by side. */
    @Test
    void shouldRunTwoStoresOfDifferentConfigurationsSideBySide() throws Exception {
        try (MiniCluster second = MiniCluster.builder(kind())
                .with("crail.blocksize", "16k")
                .with("crail.buffersize", "32k")
                .with("crail.slicesize", "8k")
                .with("crail.clusterid", "second")
                .with("crail.storage.keepalive", KEEPALIVE)
                .start()) {
            int count = Rounds.of(20);
            TestClient there = new TestClient(second.newStore());
            for (int i = 0; i < count; i++) {
                client.write("/here" + i, Pattern.of(i, BLOCK + i));
                there.write("/there" + i, Pattern.of(-i, 17 * 1024 + i));
                assertThat(client.read("/here" + i)).isEqualTo(Pattern.of(i, BLOCK + i));
                assertThat(there.read("/there" + i)).isEqualTo(Pattern.of(-i, 17 * 1024 + i));
            }
            assertThat(client.list("/")).hasSize(count).allMatch(name -> name.startsWith("here"));
            assertThat(there.list("/")).hasSize(count).allMatch(name -> name.startsWith("there"));
            assertThat(bufferBytes(there.store())).isEqualTo(32 * 1024);
            assertThat(bufferBytes(client.store())).isEqualTo(64 * 1024);
            second.checkBlocks();
        }
    }

    private static int bufferBytes(CrailStore store) throws Exception {
        CrailBuffer buffer = store.allocateBuffer();
        store.freeBuffer(buffer);
        return buffer.capacity();
    }

    private static void joinAll(List<Worker> workers) throws Exception {
        join(start(workers));
    }

    private static List<Future<Void>> start(List<Worker> workers) {
        ExecutorService pool = Executors.newFixedThreadPool(workers.size());
        List<Future<Void>> running = new ArrayList<>();
        for (Worker worker : workers) {
            running.add(pool.submit(() -> {
                worker.run();
                return null;
            }));
        }
        pool.shutdown();
        return running;
    }

    private static boolean anyDone(List<Future<Void>> running) {
        return running.stream().anyMatch(Future::isDone);
    }

    private static void join(List<Future<Void>> running) throws Exception {
        for (Future<Void> worker : running) {
            worker.get(60, TimeUnit.SECONDS);
        }
    }

    @FunctionalInterface
    private interface Worker {
        void run() throws Exception;
    }
}

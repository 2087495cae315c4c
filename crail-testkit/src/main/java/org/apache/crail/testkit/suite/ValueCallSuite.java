/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DIRECTORY;
import static org.apache.crail.CrailNodeType.MULTIFILE;
import static org.apache.crail.CrailNodeType.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStore;
import org.apache.crail.CrailTable;
import org.apache.crail.core.CoreDataStore;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values that are stored and fetched by one call each. */
public abstract class ValueCallSuite extends ProbedSuite {
    private static final int LIMIT_S = 120;

    private CrailTable table;

    /** For subclasses. */
    protected ValueCallSuite() {}

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape().blocksPerDatanode(512).with("crail.tokenexpiration", Patience.ofMs(1_000));
    }

    @BeforeEach
    void createTable() throws Exception {
        client.create("/t", TABLE);
        table = probed.lookup("/t").asTable();
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(LIMIT_S, TimeUnit.SECONDS);
    }

    @Test
    void shouldStoreAndFetchValuesOfAllLengths() throws Exception {
        for (int length : new int[] {0, 1, 4_095, 4_096, 4_097, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7}) {
            byte[] value = Pattern.of(length, length);
            get(table.put("key", value));
            assertThat(get(table.get("key"))).isEqualTo(value);
            assertThat(client.read("/t/key")).as("through streams").isEqualTo(value);
            assertThat(get(client.store().get("/t/key"))).isEqualTo(value);
        }
    }

    @Test
    void shouldTakeAndFillMemoryOfEachKind() throws Exception {
        for (int length : new int[] {100, 5_000, 2 * BLOCK + 9}) {
            byte[] value = Pattern.of(length, length);
            for (boolean isDirect : new boolean[] {false, true}) {
                ByteBuffer source = memory(isDirect, length + 20).put(10, value);
                source.position(10).limit(10 + length);
                get(table.put("key", source));
                assertThat(source.position()).isEqualTo(10);
                assertThat(source.limit()).isEqualTo(10 + length);

                ByteBuffer target = memory(isDirect, length + 20).position(5);
                assertThat(get(table.get("key", target))).isEqualTo(length);
                assertThat(target.position()).isEqualTo(5 + length);
                byte[] found = new byte[length];
                target.get(5, found);
                assertThat(found).isEqualTo(value);
                assertThat(target.get(4)).isZero();
                assertThat(target.get(5 + length)).isZero();
            }
        }
    }

    private static ByteBuffer memory(boolean isDirect, int length) {
        return isDirect ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    }

    @Test
    void shouldTellWhatDoesNotExist() throws Exception {
        assertThat(get(table.get("none"))).isNull();
        assertThat(get(table.get("none", ByteBuffer.allocate(1)))).isNull();
        assertThat(get(table.delete("none"))).isFalse();
        get(table.put("key", Pattern.of(1, 10)));
        assertThat(get(table.delete("key"))).isTrue();
        assertThat(get(table.get("key"))).isNull();
    }

    @Test
    void shouldFailTyped() throws Exception {
        client.create("/d", DIRECTORY);
        client.create("/m", MULTIFILE);
        CrailStore store = probed.store();
        assertFails(InvalidPathException.class, table.put("a/b", new byte[1]));
        assertFails(InvalidPathException.class, table.get(""));
        assertFails(ParentNotFoundException.class, store.put("/none/key", new byte[1]));
        assertFails(NodeTypeMismatchException.class, store.put("/m/key", new byte[1]));
        assertFails(NodeTypeMismatchException.class, store.get("/d"));

        get(table.put("key", Pattern.of(1, 10)));
        ByteBuffer shortOne = ByteBuffer.allocate(9);
        assertFails(PositionOutOfRangeException.class, table.get("key", shortOne));
        assertThat(shortOne).isEqualTo(ByteBuffer.allocate(9));
        assertThat(get(table.get("key"))).as("after all failures").isEqualTo(Pattern.of(1, 10));
    }

    @Test
    void shouldStoreAndFetchManyAtOnce() throws Exception {
        Map<String, byte[]> values = new LinkedHashMap<>();
        for (int i = 0; i < Rounds.of(1_000); i++) {
            values.put("k" + i, Pattern.of(i, 1_000));
        }
        get(table.putAll(values));
        List<String> keys = new ArrayList<>(values.keySet());
        keys.add("none");
        Map<String, byte[]> found = get(table.getAll(keys));
        assertThat(found.keySet()).containsExactlyElementsOf(values.keySet());
        values.forEach((key, value) -> assertThat(found.get(key)).isEqualTo(value));
        assertThat(client.lookup("/t").asTable().files()).isEqualTo(values.size());
    }

    @Test
    void shouldPutWithTwoCallsAndATransferAndGetWithOneOfEach() throws Exception {
        byte[] value = Pattern.of(1, 1_000);
        probe.reset();
        get(table.put("key", value));
        assertThat(probe.requests(Operation.CREATE)).isEqualTo(1);
        assertThat(probe.requests(Operation.SYNC)).isEqualTo(1);
        assertThat(probe.requests()).as("calls: %s", probe).isEqualTo(2);
        assertThat(moved(probe.writes())).as("transfers: %s", probe).isEqualTo(1);
        assertThat(probe.reads()).isZero();

        probe.reset();
        assertThat(get(table.get("key"))).isEqualTo(value);
        assertThat(probe.requests(Operation.LOOKUP)).isEqualTo(1);
        assertThat(probe.requests()).as("calls: %s", probe).isEqualTo(1);
        assertThat(moved(probe.reads())).as("transfers: %s", probe).isEqualTo(1);
        assertThat(probe.writes()).isZero();
    }

    /** Transfers, and values of 1,000 bytes that were copied instead. */
    private long moved(long transfers) {
        return transfers + probe.bytesCopiedOnce() / 1_000;
    }

    /** Values over sockets share buffers of the store, which has them all back in the end. */
    @AfterEach
    void shouldLeaveNoBufferInUse() {
        assertThat(((CoreDataStore) probed.store()).getBufferCache().buffersInUse())
                .as("buffers in use")
                .isZero();
    }

    /** More than may be in flight; none is lost. */
    @Test
    void shouldLetOneThreadCallWithoutCounting() throws Exception {
        int keys = 100;
        for (int i = 0; i < keys; i++) {
            get(table.put(Integer.toString(i), Pattern.of(i, 16)));
        }
        List<CompletableFuture<byte[]>> gets = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            gets.add(table.get(Integer.toString(i % keys)));
        }
        for (int i = 0; i < gets.size(); i++) {
            assertThat(get(gets.get(i))).isEqualTo(Pattern.of(i % keys, 16));
        }
    }

    /** A callback cannot wait for room, as it could wait for itself. */
    @Test
    void shouldTakeCallsFromCallbacks() throws Exception {
        CompletableFuture<byte[]> last = table.put("0", Pattern.of(0, 10)).thenCompose(done -> table.get("0"));
        for (int i = 1; i < Rounds.of(500); i++) {
            String key = Integer.toString(i % 7);
            last = last.thenCompose(value -> table.put(key, value)).thenCompose(done -> table.get(key));
        }
        assertThat(get(last)).isEqualTo(Pattern.of(0, 10));
    }

    @Test
    void shouldSurviveThatOthersReplaceAndDelete() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                CrailTable own = anotherClient().lookup("/t").asTable();
                int number = thread;
                running.add(threads.submit(() -> {
                    for (int i = 0; i < Rounds.of(300); i++) {
                        int length = 1 + (i * 37 + number) % 9_000;
                        get(own.put("key", Pattern.of(length, length)));
                        byte[] found = get(own.get("key"));
                        if (found != null && found.length > 0) { // empty while it is put for the first time
                            assertThat(found).isEqualTo(Pattern.of(found.length, found.length));
                        }
                        if (i % 5 == number) {
                            get(own.delete("key"));
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                get(each);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldEndCallsInFlightWhenTheStoreCloses() throws Exception {
        TestClient closing = anotherClient();
        CrailTable own = closing.lookup("/t").asTable();
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            puts.add(own.put("k" + i, Pattern.of(i, 100)));
        }
        closing.close();
        for (CompletableFuture<Void> put : puts) {
            assertThat(put).isCompleted();
        }
        assertFails(ClosedException.class, own.put("late", new byte[1]));
        assertThat(get(table.getAll(List.of("k0", "k99", "late")))).containsOnlyKeys("k0", "k99");
    }

    @Test
    void shouldCloseStreamsWithoutWaiting() throws Exception {
        CrailOutputStream stream = probed.putting("/t/key").getDirectOutputStream(0);
        Future<?> write = stream.write(TestClient.buffer(Pattern.of(3, 3_000)));
        CompletableFuture<Void> closed = stream.closeAsync();
        assertThatThrownBy(() -> stream.write(TestClient.buffer(new byte[1]))).isInstanceOf(ClosedException.class);
        get(closed);
        assertThat(write.isDone()).isTrue();
        stream.close();
        assertThat(client.read("/t/key")).isEqualTo(Pattern.of(3, 3_000));
    }
}

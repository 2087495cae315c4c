/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailKeyValue;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables: the last put wins, and nobody ever sees a mixture of two values. */
public abstract class KeyValueSuite extends ClusterSuite {
    private final AtomicLong versions = new AtomicLong();

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape().datanodes(2).blocksPerDatanode(256).with("crail.tokenexpiration", Patience.ofMs(1_000));
    }

    @BeforeEach
    void createTable() throws Exception {
        client.create("/t", TABLE);
    }

    @Test
    void shouldGiveTheValueThatWasPutLast() throws Exception {
        TestClient other = anotherClient();
        for (int round = 0; round < Rounds.of(20); round++) {
            byte[] value = Pattern.of(round, 100 + round);
            (round % 2 == 0 ? client : other).put("/t/key", value);
            assertThat(client.read("/t/key")).isEqualTo(value);
            assertThat(other.read("/t/key")).isEqualTo(value);
        }
        assertThat(cluster.checkBlocks().nodes()).isEqualTo(3);
    }

    @Test
    void shouldHoldValuesOfAllSizes() throws Exception {
        for (int size : new int[] {0, 1, 8, 1000, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK}) {
            client.put("/t/key" + size, Pattern.of(size, size));
            assertThat(client.read("/t/key" + size)).isEqualTo(Pattern.of(size, size));
        }
    }

    @Test
    void shouldReplaceLongValuesByShortOnes() throws Exception {
        client.put("/t/key", Pattern.of(1, 3 * BLOCK));
        client.put("/t/key", Pattern.of(2, 3));

        assertThat(client.read("/t/key")).isEqualTo(Pattern.of(2, 3));
    }

    @Test
    void shouldGiveNullForAKeyWithoutValueAndAfterDelete() throws Exception {
        assertThat(client.read("/t/key")).isNull();
        client.put("/t/key", new byte[8]);
        client.delete("/t/key", false);
        assertThat(client.read("/t/key")).isNull();
    }

    /** A handle of a replaced value fails at the latest when the lease is over, and gives its own bytes until then. */
    @Test
    void shouldMakeHandlesOfReplacedValuesStale() throws Exception {
        client.put("/t/key", Pattern.of(1, BLOCK));
        CrailKeyValue handle = client.lookup("/t/key").asKeyValue();
        client.put("/t/key", Pattern.of(2, BLOCK));

        Await.until("the handle is stale", Patience.of(Duration.ofSeconds(10)), () -> {
            try {
                Pattern.verify(1, 0, TestClient.read(handle));
                return false;
            } catch (StaleNodeException e) {
                return true;
            }
        });
        assertThat(client.read("/t/key")).isEqualTo(Pattern.of(2, BLOCK));
    }

    @Test
    void shouldEndAPutWellThatAnotherOneHasOvertaken() throws Exception {
        CrailFile first = client.putting("/t/key");
        client.put("/t/key", Pattern.of(2, 10));

        TestClient.append(first, Pattern.of(1, BLOCK));
        assertThat(client.read("/t/key")).isEqualTo(Pattern.of(1, BLOCK));
    }

    @Test
    void shouldShowTheOldValueUntilTheNewOneIsComplete() throws Exception {
        client.put("/t/key", Pattern.of(1, 10));
        CrailOutputStream next = client.putting("/t/key").getDirectOutputStream(0);
        TestClient.await(next.write(TestClient.buffer(Pattern.of(2, 20))));
        assertThat(client.read("/t/key")).isEqualTo(Pattern.of(1, 10));
        assertThat(anotherClient().read("/t/key")).isEqualTo(Pattern.of(1, 10));
        next.close();
        assertThat(client.read("/t/key")).isEqualTo(Pattern.of(2, 20));
    }

    @Test
    void shouldLetWhoPollsAnEmptyValueSeeItsFirstPut() throws Exception {
        CrailOutputStream put = client.putting("/t/key").getDirectOutputStream(0);
        CrailKeyValue early = anotherClient().lookup("/t/key").asKeyValue();
        CrailInputStream direct = early.getDirectInputStream(0);
        CrailBufferedInputStream buffered = early.getBufferedInputStream(0);
        assertThat(direct.available()).isZero();
        assertThat(buffered.available()).isZero();

        TestClient.await(put.write(TestClient.buffer(Pattern.of(1, 10))));
        put.close();

        assertThat(direct.available()).isEqualTo(10);
        Await.until("all bytes are there", () -> buffered.available() == 10);
        assertThat(buffered.readNBytes(10)).isEqualTo(Pattern.of(1, 10));
        direct.close();
        buffered.close();
    }

    @Test
    void shouldTellWhoPollsAnEmptyValueThatItHasGone() throws Exception {
        CrailOutputStream put = client.putting("/t/key").getDirectOutputStream(0);
        CrailKeyValue early = anotherClient().lookup("/t/key").asKeyValue();
        CrailInputStream stream = early.getDirectInputStream(0);
        client.put("/t/key", Pattern.of(2, 10));
        assertThatThrownBy(stream::available).hasCauseInstanceOf(StaleNodeException.class);
        client.delete("/t/key", false);
        assertThatThrownBy(stream::available).hasCauseInstanceOf(StaleNodeException.class);
        stream.close();
        put.close();
    }

    /** The path leads to the former value, or nowhere, until the put has told of its bytes. */
    @Test
    void shouldTellWhoPutsThatItsValueIsEmptyYet() throws Exception {
        client.put("/t/key", Pattern.of(1, 10));
        CrailFile next = client.putting("/t/key");
        CrailInputStream stream = next.getDirectInputStream(0);
        assertThat(stream.available()).as("before it writes").isZero();
        CrailOutputStream put = next.getDirectOutputStream(0);
        assertThat(stream.available()).as("while it writes").isZero();
        client.delete("/t/key", false);
        assertThat(stream.available()).as("with nothing at its path").isZero();

        TestClient.await(put.write(TestClient.buffer(Pattern.of(2, 20))));
        put.close();

        assertThat(stream.available()).isEqualTo(20);
        assertThat(client.read("/t/key")).isEqualTo(Pattern.of(2, 20));
        stream.close();
    }

    @Test
    void shouldNeverShowAMixtureOfTwoValues() throws Exception {
        putAndReadConcurrently(1, BLOCK / 2);
    }

    @Test
    void shouldNeverShowAMixtureOfTwoValuesOfSeveralBlocks() throws Exception {
        putAndReadConcurrently(3, 2 * BLOCK + 100);
    }

    private void putAndReadConcurrently(int keys, int length) throws Exception {
        for (int key = 0; key < keys; key++) {
            client.put("/t/key" + key, Pattern.selfDescribing(versions.incrementAndGet(), length));
        }
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService pool = Executors.newFixedThreadPool(6);
        List<Future<Integer>> workers = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                TestClient own = anotherClient();
                workers.add(pool.submit(() -> put(own, keys, length, stop)));
                workers.add(pool.submit(() -> read(own, keys, length, stop)));
            }
            Await.until(
                    "enough puts are done or a worker failed",
                    () -> workers.stream().anyMatch(Future::isDone) || versions.get() > Rounds.of(600));
        } finally {
            stop.set(true);
            pool.shutdown();
        }
        int values = 0;
        for (Future<Integer> worker : workers) {
            values += TestClient.await(worker);
        }
        assertThat(values).isPositive();
    }

    private int put(TestClient own, int keys, int length, AtomicBoolean stop) throws Exception {
        int puts = 0;
        while (!stop.get()) {
            long version = versions.incrementAndGet();
            try {
                own.put("/t/key" + version % keys, Pattern.selfDescribing(version, length));
                puts++;
            } catch (NoFreeBlocksException e) {
                // Replaced values have not been reclaimed yet.
            }
        }
        return puts;
    }

    private static int read(TestClient own, int keys, int length, AtomicBoolean stop) throws Exception {
        int values = 0;
        while (!stop.get()) {
            byte[] value = own.read("/t/key" + values % keys);
            assertThat(value).hasSize(length);
            Pattern.verifySelfDescribing(value);
            values++;
        }
        return values;
    }
}

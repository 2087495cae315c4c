/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.testkit.Await;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.broadcast.TorrentBroadcast;
import org.apache.spark.storage.BlockManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spark")
@Timeout(600) // Spark starts, and is slow on a busy machine
class BroadcastTest {
    private static final List<Integer> VALUE =
            IntStream.range(0, 100_000).boxed().toList();

    /** Spark's cleaner leaves alone what is referred to. */
    private final List<Broadcast<?>> kept = new ArrayList<>();

    private SparkCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = SparkCluster.start(2);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private JavaSparkContext spark(String key, String value) {
        return new JavaSparkContext(
                cluster.conf().set("spark.plugins", CrailPlugin.class.getName()).set(key, value));
    }

    /** As an executor gets it, which has nothing of it yet. */
    @SuppressWarnings("unchecked")
    private <T> Broadcast<T> received(Broadcast<T> broadcast) throws Exception {
        kept.add(broadcast);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(broadcast);
        }
        BlockManager blocks = SparkEnv.get().blockManager();
        int ignored = blocks.removeBroadcast(broadcast.id(), true);
        assertThat(blocks.getLocalValues(CrailBroadcast.blockId(broadcast.id())).isEmpty())
                .isTrue();
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (Broadcast<T>) in.readObject();
        }
    }

    private String path(Broadcast<?> broadcast) throws Exception {
        for (String directory : cluster.below(ApplicationDirectory.ROOT)) {
            for (String value : cluster.below(directory + "/broadcasts")) {
                if (value.endsWith("/" + broadcast.id())) {
                    return value;
                }
            }
        }
        return null;
    }

    private static <T> Broadcast<T> ofSpark(T value, boolean isSerializedOnly) {
        return SparkEnv.get().broadcastManager().newBroadcast(value, false, isSerializedOnly, BroadcastBytes.any());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReadAValueFromTheStore(boolean isCompressed) throws Exception {
        try (JavaSparkContext spark = spark("spark.broadcast.compress", Boolean.toString(isCompressed))) {
            Broadcast<List<Integer>> broadcast = CrailBroadcast.of(spark.sc(), VALUE);
            assertThat(broadcast.value()).isSameAs(VALUE);
            Broadcast<List<Integer>> there = received(broadcast);
            assertThat(there.value()).isEqualTo(VALUE).isNotSameAs(VALUE);
        }
        assertThat(cluster.below(ApplicationDirectory.ROOT)).isEmpty();
    }

    /** As a block of Spark's, which takes longer than to read a small value again. */
    @ParameterizedTest
    @CsvSource({"100, false", "100000, true"})
    void shouldKeepAValueUnlessItIsSmall(int bytes, boolean isKept) throws Exception {
        byte[] value = new byte[bytes];
        new Random(1).nextBytes(value);
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false")) {
            Broadcast<byte[]> there = received(CrailBroadcast.of(spark.sc(), value));
            assertThat(there.value()).isEqualTo(value);
            BlockManager blocks = SparkEnv.get().blockManager();
            assertThat(blocks.getStatus(CrailBroadcast.blockId(there.id())).isDefined())
                    .isEqualTo(isKept);
        }
    }

    @Test
    void shouldReadOnceForAllTasks() throws Exception {
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false")) {
            Broadcast<List<Integer>> there = received(CrailBroadcast.of(spark.sc(), VALUE));
            List<Integer> numbers = IntStream.range(0, 8).boxed().toList();
            assertThat(spark.parallelize(numbers, 8)
                            .map(each -> System.identityHashCode(there.value()))
                            .distinct()
                            .collect())
                    .hasSize(1);
        }
    }

    @Test
    void shouldDeleteAValueThatIsDestroyed() throws Exception {
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false")) {
            Broadcast<List<Integer>> broadcast = CrailBroadcast.of(spark.sc(), VALUE);
            assertThat(path(broadcast)).isNotNull();
            broadcast.destroy(true);
            assertThat(path(broadcast)).isNull();
        }
    }

    @Test
    void shouldFailWithAReasonWhereTheValueIsNeitherInTheStoreNorAtTheDriver() throws Exception {
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false")) {
            Broadcast<List<Integer>> broadcast = CrailBroadcast.of(spark.sc(), VALUE);
            Object ignored = cluster.store().delete(path(broadcast), false).get();
            Broadcast<List<Integer>> there = received(broadcast);
            assertThatThrownBy(there::value)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is neither at /spark/")
                    .hasMessageContaining("nor at the driver")
                    .hasCauseInstanceOf(NodeNotFoundException.class);
        }
    }

    @Test
    void shouldNotTakeOtherBytesForTheValue() throws Exception {
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false")) {
            Broadcast<List<Integer>> broadcast = CrailBroadcast.of(spark.sc(), VALUE);
            byte[] bytes = cluster.store().get(path(broadcast)).get();
            bytes[bytes.length / 2]++;
            cluster.store().put(path(broadcast), bytes).get();
            Broadcast<List<Integer>> there = received(broadcast);
            assertThatThrownBy(there::value).isInstanceOf(IOException.class).hasStackTraceContaining("are not the");
        }
    }

    @Test
    void shouldSayThatThePluginIsMissing() {
        try (JavaSparkContext spark = new JavaSparkContext(cluster.conf())) {
            assertThatThrownBy(() -> CrailBroadcast.of(spark.sc(), VALUE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("spark.plugins=org.apache.crail.spark.CrailPlugin");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeAllBroadcastsOfSpark(boolean isSerializedOnly) throws Exception {
        try (JavaSparkContext spark = spark("spark.crail.broadcast", "true")) {
            Broadcast<List<Integer>> broadcast = ofSpark(VALUE, isSerializedOnly);
            assertThat(broadcast).isInstanceOf(CrailBroadcast.class);
            assertThat(broadcast.value()).isEqualTo(VALUE);
            String path = path(broadcast);
            assertThat(received(broadcast).value()).isEqualTo(VALUE);
            spark.env().broadcastManager().unbroadcast(broadcast.id(), true, true);
            assertThat(cluster.store().lookup(path).get()).isNull();
        }
    }

    @Test
    void shouldLeaveBroadcastsToSparkUnlessItIsAsked() {
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false")) {
            assertThat(spark.env()).isSameAs(SparkEnv.get());
            assertThat(ofSpark(VALUE, false)).isInstanceOf(TorrentBroadcast.class);
        }
    }

    @Test
    void shouldLeaveBroadcastsToSparkWhereTheStoreCannotBeReached() throws Exception {
        SparkConf conf = SparkCluster.plainConf()
                .set("spark.plugins", CrailPlugin.class.getName())
                .set("spark.crail.namenode.address", "crail://127.0.0.1:1")
                .set("spark.crail.connecttimeout", "1s")
                .set("spark.crail.broadcast", "true");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            assertThat(spark.env()).isSameAs(SparkEnv.get());
            Broadcast<List<Integer>> broadcast = ofSpark(VALUE, false);
            assertThat(broadcast).isInstanceOf(TorrentBroadcast.class);
            assertThat(broadcast.value()).isEqualTo(VALUE);
        }
    }

    /** SQL asks Spark to keep its tables as bytes only, and reads each at once. */
    @Test
    void shouldKnowTheValueInTheDriver() {
        try (JavaSparkContext spark = spark("spark.crail.broadcast", "true")) {
            assertThat(spark.env()).isSameAs(SparkEnv.get());
            assertThat(ofSpark(VALUE, true).value()).isSameAs(VALUE);
        }
    }

    /** Tasks that still have the value give it to others. */
    @Test
    void shouldReadOnceForAllTasksWhereTheBlockIsEvicted() throws Exception {
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false")) {
            Broadcast<List<Integer>> broadcast = CrailBroadcast.of(spark.sc(), VALUE);
            List<Integer> there = received(broadcast).value();
            assertThat(received(broadcast).value()).isSameAs(there);
        }
    }

    @Test
    void shouldRefuseToSendAVariableThatIsDestroyed() throws Exception {
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false")) {
            Broadcast<List<Integer>> broadcast = CrailBroadcast.of(spark.sc(), VALUE);
            broadcast.destroy(true);
            assertThatThrownBy(() -> received(broadcast))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("destroyed");
        }
    }

    /** As Spark's own variables go. */
    @Test
    void shouldDeleteAValueThatNobodyRefersTo() throws Exception {
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false")) {
            String path = path(CrailBroadcast.of(spark.sc(), VALUE));
            assertThat(cluster.store().lookup(path).get()).isNotNull();
            Await.until("the value is deleted", () -> {
                System.gc();
                return cluster.store().lookup(path).get() == null;
            });
        }
    }

    @Test
    void shouldLeaveNothingWhereThePutIsInterrupted() throws Exception {
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false")) {
            Broadcast<List<Integer>> first = CrailBroadcast.of(spark.sc(), VALUE);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> CrailBroadcast.of(spark.sc(), VALUE)).isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
            String path = path(first);
            String interrupted = path.substring(0, path.lastIndexOf('/') + 1) + (first.id() + 1);
            Await.until(
                    "the value is deleted",
                    () -> cluster.store().lookup(interrupted).get() == null);
        }
    }

    /** A table of the test takes the place of that of the plugin. */
    private static BroadcastTable install(JavaSparkContext spark, int mostBytes, LongSupplier clockNs) {
        SparkConf conf = spark.getConf();
        BroadcastTable table = new BroadcastTable(conf, SharedStore.inUse(conf), mostBytes, clockNs);
        CrailBroadcastFactory.install(spark.env().broadcastManager(), table);
        return table;
    }

    @ParameterizedTest
    @ValueSource(strings = {"JavaSerializer", "KryoSerializer"})
    void shouldLeaveValuesToSparkThatAreTooLarge(String serializer) throws Exception {
        int[] value = new Random(42).ints(100_000).toArray();
        try (JavaSparkContext spark = spark("spark.serializer", "org.apache.spark.serializer." + serializer);
                BroadcastTable table = install(spark, 1_000, System::nanoTime)) {
            Broadcast<int[]> broadcast = ofSpark(value, false);
            assertThat(broadcast).isInstanceOf(TorrentBroadcast.class);
            assertThat(broadcast.value()).isEqualTo(value);
            assertThat(table.isResting()).isFalse();
            assertThatThrownBy(() -> CrailBroadcast.of(spark.sc(), value))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("at most 1000 bytes");
        }
    }

    @Test
    void shouldNotWaitForAStoreThatFailedWithinTheLastMinute() throws Exception {
        AtomicLong nowNs = new AtomicLong();
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false");
                BroadcastTable table = install(spark, BroadcastBytes.MOST_BYTES, nowNs::get)) {
            cluster.servers().stopNamenode();
            assertThat(ofSpark(VALUE, false)).isInstanceOf(TorrentBroadcast.class);
            assertThat(table.isResting()).isTrue();
            cluster.startNamenode();
            nowNs.set(TimeUnit.SECONDS.toNanos(59));
            assertThat(ofSpark(VALUE, false)).isInstanceOf(TorrentBroadcast.class);
            nowNs.set(TimeUnit.SECONDS.toNanos(61));
            assertThat(ofSpark(VALUE, false)).isInstanceOf(CrailBroadcast.class);
        }
    }

    /** Which forgets the table. */
    @Test
    void shouldGoThroughTheStoreAgainAfterARestartOfTheNamenode() throws Exception {
        try (JavaSparkContext spark = spark("spark.crail.broadcast", "true")) {
            assertThat(spark.env()).isSameAs(SparkEnv.get());
            assertThat(path(ofSpark(VALUE, false))).isNotNull();
            cluster.restartNamenode();
            Broadcast<List<Integer>> broadcast = ofSpark(VALUE, false);
            assertThat(broadcast).isInstanceOf(CrailBroadcast.class);
            assertThat(received(broadcast).value()).isEqualTo(VALUE);
        }
    }

    @Test
    void shouldShareTheDirectoryOfTheApplicationWithItsShuffles() throws Exception {
        try (JavaSparkContext spark = spark("spark.ui.enabled", "false")) {
            Broadcast<List<Integer>> broadcast = CrailBroadcast.of(spark.sc(), VALUE);
            assertThat(path(broadcast)).startsWith(cluster.application() + "/");
            assertThat(cluster.below(ApplicationDirectory.ROOT)).hasSize(1);
        }
        assertThat(cluster.below(ApplicationDirectory.ROOT)).isEmpty();
    }
}

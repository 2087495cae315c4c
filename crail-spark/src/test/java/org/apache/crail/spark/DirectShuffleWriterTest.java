/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.crail.testkit.Await;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.serializer.KryoSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;

/** Map tasks that write without local files, with less memory than their outputs have. */
@Tag("spark")
@Timeout(600) // Spark starts, and is slow on a busy machine
class DirectShuffleWriterTest {
    private static final int ROWS = 400;
    private static final int ROW_BYTES = 100_000;

    private SparkCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = SparkCluster.start(1);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    /** How records become bytes. */
    enum Format {
        LZ4("spark.io.compression.codec", "lz4"),
        ZSTD("spark.io.compression.codec", "zstd"),
        /** As for many partitions. */
        RELOCATABLE("spark.shuffle.sort.bypassMergeThreshold", "0");

        private final String key;
        private final String value;

        Format(String key, String value) {
            this.key = key;
            this.value = value;
        }
    }

    private SparkConf conf(Format format) {
        return cluster.conf()
                .set("spark.serializer", KryoSerializer.class.getName())
                .set(format.key, format.value)
                .set("spark.testing.memory", "" + (16 << 20))
                .set("spark.testing.reservedMemory", "0");
    }

    /** Rows that no codec makes shorter by much. */
    private static JavaPairRDD<Integer, byte[]> rows(JavaSparkContext spark, int tasks, int failing) {
        List<Integer> numbers = IntStream.range(0, ROWS).boxed().toList();
        return spark.parallelize(numbers, tasks)
                .mapToPair(number -> {
                    if (number == failing) {
                        throw new IllegalStateException("to show");
                    }
                    byte[] row = new byte[ROW_BYTES];
                    new Random(number).nextBytes(row);
                    return new Tuple2<>(number, row);
                })
                .partitionBy(new HashPartitioner(7));
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepInCrailWhatMemoryCannotHold(Format format) throws Exception {
        AtomicLong spilled = new AtomicLong();
        AtomicLong disk = new AtomicLong();
        try (JavaSparkContext spark = new JavaSparkContext(conf(format))) {
            spark.sc().addSparkListener(new SparkListener() {
                @Override
                public void onTaskEnd(SparkListenerTaskEnd task) {
                    spilled.addAndGet(task.taskMetrics().memoryBytesSpilled());
                    disk.addAndGet(task.taskMetrics().diskBytesSpilled());
                }
            });
            List<Tuple2<Integer, Integer>> hashes = new ArrayList<>(
                    rows(spark, 2, -1).mapValues(Arrays::hashCode).collect());
            hashes.sort((one, other) -> one._1().compareTo(other._1()));
            assertThat(hashes).hasSize(ROWS);
            for (int i = 0; i < ROWS; i++) {
                byte[] row = new byte[ROW_BYTES];
                new Random(i).nextBytes(row);
                assertThat(hashes.get(i)).isEqualTo(new Tuple2<>(i, Arrays.hashCode(row)));
            }
            assertThat(cluster.below(cluster.application() + "/0")).noneMatch(name -> name.endsWith(".spill"));
        }
        assertThat(spilled).hasValueGreaterThan((long) ROWS * ROW_BYTES / 2);
        assertThat(disk).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingOfATaskThatFails(Format format) throws Exception {
        try (JavaSparkContext spark = new JavaSparkContext(conf(format))) {
            spark.setLogLevel("OFF");
            assertThatThrownBy(() -> rows(spark, 2, ROWS / 2 - 1).count()).hasStackTraceContaining("to show");
            Await.until("its files are deleted", () -> cluster.below(cluster.application() + "/0").stream()
                    .noneMatch(name -> name.endsWith(".spill")));
        }
    }

    /** The spills find room, and the output does not. */
    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingOfATaskThatCannotWriteItsOutput(Format format) throws Exception {
        cluster.fill(80);
        SparkConf conf = conf(format).set("spark.crail.shuffle.smalloutput", "0");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            spark.setLogLevel("OFF");
            assertThatThrownBy(() -> rows(spark, 1, -1).count())
                    .hasStackTraceContaining("DirectShuffleWriter.writeOutput");
            Await.until("its files are deleted", () -> cluster.below(cluster.application() + "/0")
                    .isEmpty());
        }
    }
}

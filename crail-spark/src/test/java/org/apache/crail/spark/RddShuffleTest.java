/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;

/** Operations of RDDs give what they give with Spark's own shuffles. */
@Tag("spark")
@Timeout(600) // Spark starts, and is slow on a busy machine
class RddShuffleTest {
    private static final String KRYO_SERIALIZER = "org.apache.spark.serializer.KryoSerializer";

    /** What tasks, which run in this process, leave. */
    private static final AtomicReference<List<Iterator<?>>> KEPT = new AtomicReference<>();

    private SparkCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = SparkCluster.start(2);
    }

    @AfterEach
    void stop() throws Exception {
        try (SparkCluster closing = cluster) {
            assertThat(closing.below(ApplicationDirectory.ROOT)).isEmpty();
        }
    }

    /** How records become bytes: settings that differ from the default. */
    enum Format {
        JAVA(Map.of()),
        KRYO(Map.of("spark.serializer", KRYO_SERIALIZER)),
        UNCOMPRESSED(Map.of("spark.shuffle.compress", "false")),
        ZSTD(Map.of("spark.io.compression.codec", "zstd")),
        ENCRYPTED(Map.of("spark.io.encryption.enabled", "true")),
        /** With Spark's own writers for few partitions, and for serializers whose records can be moved. */
        LOCAL_FILES(Map.of("spark.crail.shuffle.direct", "false")),
        LOCAL_SERIALIZED(Map.of(
                "spark.crail.shuffle.direct",
                "false",
                "spark.shuffle.sort.bypassMergeThreshold",
                "0",
                "spark.serializer",
                KRYO_SERIALIZER)),
        /** Without a writer for few partitions: records are sorted by Spark. */
        SORTED(Map.of("spark.shuffle.sort.bypassMergeThreshold", "0")),
        /** With the writer for serializers whose records can be moved. */
        SERIALIZED(Map.of("spark.shuffle.sort.bypassMergeThreshold", "0", "spark.serializer", KRYO_SERIALIZER)),
        ENCRYPTED_SERIALIZED(Map.of(
                "spark.io.encryption.enabled",
                "true",
                "spark.shuffle.sort.bypassMergeThreshold",
                "0",
                "spark.serializer",
                KRYO_SERIALIZER)),
        /** Ranges are larger than what may be held, so that they are read as streams. */
        STREAMED(Map.of("spark.reducer.maxSizeInFlight", "0")),
        SPILLED(Map.of("spark.shuffle.spill.numElementsForceSpillThreshold", "100"));

        @SuppressWarnings("ImmutableEnumChecker") // nobody can change it
        private final Map<String, String> settings;

        Format(Map<String, String> settings) {
            this.settings = settings;
        }

        SparkConf set(SparkConf conf) {
            settings.forEach(conf::set);
            return conf;
        }
    }

    private static List<Tuple2<String, Integer>> pairs(int seed) {
        Random random = new Random(seed);
        return IntStream.range(0, 5_000)
                .mapToObj(i -> new Tuple2<>("key" + (int) Math.abs(random.nextGaussian() * 50), i))
                .toList();
    }

    /** The same operations on whatever shuffles the context has; what has no order is sorted. */
    private static List<Object> results(JavaSparkContext spark) {
        JavaPairRDD<String, Integer> left = spark.parallelizePairs(pairs(1), 7);
        JavaPairRDD<String, Integer> right = spark.parallelizePairs(pairs(2), 3).reduceByKey(Integer::sum, 5);
        List<Object> results = new ArrayList<>();
        results.add(sorted(left.reduceByKey(Integer::sum, 5)));
        results.add(sorted(left.groupByKey(5).mapValues(RddShuffleTest::sortedValues)));
        results.add(left.sortByKey(true, 5).keys().collect());
        results.add(sorted(left.join(right, 5)));
        results.add(sorted(left.cogroup(right, 5).mapValues(both -> sortedValues(both._1()) + "" + both._2())));
        results.add(sorted(left.aggregateByKey(0L, 5, (sum, each) -> sum + each, (one, other) -> one + other)));
        results.add(sorted(left.repartition(11)));
        results.add(left.keys().distinct(200).count());
        results.add(sorted(left.filter(each -> each._2() == 17).partitionBy(new HashPartitioner(300))));
        return results;
    }

    private static String sortedValues(Iterable<Integer> values) {
        List<Integer> all = new ArrayList<>();
        values.forEach(all::add);
        Collections.sort(all);
        return all.toString();
    }

    private static <K, V> List<String> sorted(JavaPairRDD<K, V> pairs) {
        return pairs.collect().stream().map(Object::toString).sorted().toList();
    }

    private static <T> T with(SparkConf conf, Function<JavaSparkContext, T> work) {
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            return work.apply(spark);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveWhatSparksOwnShufflesGive(Format format) {
        List<Object> expected = with(format.set(SparkCluster.plainConf()), RddShuffleTest::results);
        assertThat(with(format.set(cluster.conf()), RddShuffleTest::results)).isEqualTo(expected);
    }

    @Test
    void shouldReadThousandsOfSmallOutputs() {
        List<Integer> numbers = IntStream.range(0, 10_000).boxed().toList();
        long keys = with(cluster.conf(), spark -> spark.parallelize(numbers, 2_500)
                .mapToPair(each -> new Tuple2<>(each % 1_000, 1))
                .reduceByKey(Integer::sum, 2)
                .filter(each -> each._2() == 10)
                .count());
        assertThat(keys).isEqualTo(1_000);
    }

    @Test
    void shouldReadNothingFromEmptyOutputs() {
        long rows = with(cluster.conf(), spark -> spark.parallelizePairs(pairs(1), 4)
                .filter(each -> false)
                .groupByKey(300)
                .count());
        assertThat(rows).isZero();
    }

    @Test
    void shouldReadRecordsOfManyBlocks() {
        int length = 300_000;
        List<Integer> lengths = with(cluster.conf().set("spark.shuffle.compress", "false"), spark -> spark.parallelize(
                        IntStream.range(0, 40).boxed().toList(), 4)
                .mapToPair(each -> new Tuple2<>(each, new byte[length + each]))
                .repartition(3)
                .mapToPair(each -> new Tuple2<>(each._1(), each._2().length - length))
                .filter(each -> each._1().equals(each._2()))
                .keys()
                .collect());
        assertThat(lengths)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.iterate(0, i -> i + 1).limit(40).toList());
    }

    /** As Spark reads in another thread where it feeds a process, which may go on behind the end of the task. */
    @Test
    void shouldNotTakeTheEndOfTheTaskForTheEndOfTheRecords() {
        try (JavaSparkContext spark = new JavaSparkContext(cluster.conf())) {
            List<Iterator<?>> kept = Collections.synchronizedList(new ArrayList<>());
            KEPT.set(kept);
            JavaPairRDD<String, Integer> read =
                    spark.parallelizePairs(pairs(1), 3).partitionBy(new HashPartitioner(2));
            read.foreachPartition(records -> KEPT.get().add(records));
            assertThat(kept).hasSize(2).allSatisfy(records -> assertThatThrownBy(records::hasNext)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has ended"));
        }
    }
}

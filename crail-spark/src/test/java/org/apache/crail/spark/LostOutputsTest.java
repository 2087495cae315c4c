/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.testkit.Await;
import org.apache.spark.HashPartitioner;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** Outputs that go between the stages of a job: their map tasks run again, and no row is missing. */
@Tag("spark")
@Timeout(600) // Spark starts, and is slow on a busy machine
class LostOutputsTest {
    private static final int MAPS = 12;

    /** How often each map task has run; tasks run in this process. */
    private static final AtomicIntegerArray RUNS = new AtomicIntegerArray(MAPS);

    private SparkCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = SparkCluster.start(3);
        for (int i = 0; i < MAPS; i++) {
            RUNS.set(i, 0);
        }
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private static List<Integer> runs() {
        return IntStream.range(0, MAPS).map(RUNS::get).boxed().toList();
    }

    /** Its values are long enough for several blocks of each output. */
    private static JavaPairRDD<Integer, String> shuffled(JavaSparkContext spark) {
        List<Integer> numbers = IntStream.range(0, 12_000).boxed().toList();
        return spark.parallelize(numbers, MAPS)
                .mapPartitionsToPair(part -> {
                    RUNS.incrementAndGet(TaskContext.getPartitionId());
                    List<Tuple2<Integer, String>> pairs = new ArrayList<>();
                    part.forEachRemaining(each -> pairs.add(new Tuple2<>(each, "value " + each + " ".repeat(100))));
                    return pairs.iterator();
                })
                .repartitionAndSortWithinPartitions(new HashPartitioner(4));
    }

    private static void assertComplete(JavaPairRDD<Integer, String> pairs) {
        Map<Integer, String> all = pairs.collect().stream().collect(Collectors.toMap(Tuple2::_1, Tuple2::_2));
        assertThat(all).hasSize(12_000);
        all.forEach((key, value) -> assertThat(value).startsWith("value " + key + " "));
    }

    /** Outputs have some 100 KB each; up to so many bytes they are stored behind others. */
    private SparkConf conf(String smallOutput) {
        return cluster.conf()
                .set("spark.shuffle.compress", "false")
                .set("spark.crail.shuffle.smalloutput", smallOutput);
    }

    /** A file for each output. */
    private JavaSparkContext spark() {
        return new JavaSparkContext(conf("0"));
    }

    private JavaSparkContext spark(String smallOutput) {
        return new JavaSparkContext(conf(smallOutput));
    }

    private List<String> files() throws Exception {
        return cluster.below(cluster.application() + "/0");
    }

    /** The outputs in a file, as the driver knows them. */
    private static List<OutputPlace> outputsIn(String path) {
        MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
        return Arrays.stream(tracker.shuffleStatuses().apply(0).mapStatuses())
                .map(each -> OutputPlace.of(each.location()))
                .filter(each -> path.endsWith("/" + each.file()))
                .toList();
    }

    /** What was found of an output before is of no use for the next reader. */
    private static void forgetIndexes() throws Exception {
        CrailShuffleManager.current().outputs().forget(0);
    }

    @Test
    void shouldRunAgainTheMapTaskWhoseFileIsMissing() throws Exception {
        try (JavaSparkContext spark = spark()) {
            JavaPairRDD<Integer, String> shuffled = shuffled(spark);
            assertComplete(shuffled);
            String lost = files().get(5);
            Object ignored = cluster.store().delete(lost, false).get();
            forgetIndexes();
            assertComplete(shuffled);
            assertThat(runs()).containsOnly(1, 2).containsOnlyOnce(2);
            assertThat(files()).hasSize(MAPS).doesNotContain(lost);
        }
    }

    /** And no others, though they are of the same shuffle. */
    @Test
    void shouldRunAgainAllMapTasksWhoseCommonFileIsMissing() throws Exception {
        try (JavaSparkContext spark = spark("1m")) {
            JavaPairRDD<Integer, String> shuffled = shuffled(spark);
            assertComplete(shuffled);
            List<String> files = files();
            assertThat(files).hasSizeBetween(1, 2); // as many as tasks run side by side
            int all = outputsIn(files.get(0)).size();
            Object ignored = cluster.store().delete(files.get(0), false).get();
            forgetIndexes();
            assertComplete(shuffled);
            assertThat(runs().stream().filter(each -> each == 2)).hasSize(all);
            assertThat(runs().stream().filter(each -> each == 1)).hasSize(MAPS - all);
        }
    }

    /** A reader that knows the index has a handle of the file, which may give its bytes for some time. */
    @Test
    void shouldRunAgainTheMapTaskWhoseFileIsStale() throws Exception {
        try (JavaSparkContext spark = spark()) {
            JavaPairRDD<Integer, String> shuffled = shuffled(spark);
            assertComplete(shuffled);
            String lost = files().get(5);
            MapOutput known = CrailShuffleManager.current()
                    .outputs()
                    .find(outputsIn(lost).get(0), 4)
                    .get();
            Object ignored = cluster.store().delete(lost, false).get();
            Await.until("the handle is stale", () -> isUnreadable(known));
            assertComplete(shuffled);
            assertThat(runs()).containsOnly(1, 2).containsOnlyOnce(2);
        }
    }

    private static boolean isUnreadable(MapOutput output) throws Exception {
        CrailBuffer buffer = OffHeapBuffer.wrap(ByteBuffer.allocateDirect(100));
        return FileReads.fill(output.file(), 0, List.of(buffer))
                .handle((done, failure) -> failure != null)
                .get();
    }

    /** Where a file is broken. */
    enum Broken {
        /** What a deserializer reads before the first row. */
        BEGIN,
        ROW,
        INDEX;

        int at(int bytes) {
            return switch (this) {
                case BEGIN -> 0;
                case ROW -> bytes / 2;
                case INDEX -> bytes - 20;
            };
        }
    }

    /** Read into memory, or as a stream. */
    @ParameterizedTest
    @CsvSource({
        "INDEX, 48m, false, 0",
        "ROW, 48m, false, 0",
        "ROW, 0, false, 0",
        "ROW, 0, true, 0",
        "BEGIN, 0, false, 0",
        "BEGIN, 0, true, 0",
        "INDEX, 48m, false, 1m",
        "ROW, 48m, false, 1m",
        "ROW, 0, true, 1m",
        "BEGIN, 0, false, 1m"
    })
    void shouldRunAgainTheMapTaskWhoseFileIsBroken(
            Broken broken, String maxSizeInFlight, String isCompressed, String smallOutput) throws Exception {
        SparkConf conf = conf(smallOutput)
                .set("spark.shuffle.compress", isCompressed)
                .set("spark.reducer.maxSizeInFlight", maxSizeInFlight);
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            JavaPairRDD<Integer, String> shuffled = shuffled(spark);
            assertComplete(shuffled);
            String file = files().get(files().size() / 2);
            CrailStore store = cluster.store();
            byte[] bytes = store.get(file).get();
            bytes[broken.at(bytes.length)]++;
            Object ignored = store.delete(file, false).get();
            try (CrailBufferedOutputStream out = store.create(
                            file, CrailNodeType.DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false)
                    .get()
                    .asFile()
                    .getBufferedOutputStream(0)) {
                out.write(bytes);
            }
            forgetIndexes();
            assertComplete(shuffled);
            assertThat(runs()).containsOnly(1, 2).containsOnlyOnce(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1m"})
    void shouldRunAgainAllMapTasksOfAStoppedDatanode(String smallOutput) throws Exception {
        try (JavaSparkContext spark = spark(smallOutput)) {
            JavaPairRDD<Integer, String> shuffled = shuffled(spark);
            assertComplete(shuffled);
            cluster.servers().stopDatanode(1);
            assertComplete(shuffled);
            assertThat(runs()).contains(2).doesNotContain(4);
        }
    }

    /** The namenode learns of it by silence only. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "1m"})
    void shouldRunAgainAllMapTasksOfAKilledDatanode(String smallOutput) throws Exception {
        try (JavaSparkContext spark = spark(smallOutput)) {
            JavaPairRDD<Integer, String> shuffled = shuffled(spark);
            assertComplete(shuffled);
            cluster.servers().killDatanode(1);
            forgetIndexes();
            assertComplete(shuffled);
            assertThat(runs()).contains(2).doesNotContain(4);
        }
    }
}

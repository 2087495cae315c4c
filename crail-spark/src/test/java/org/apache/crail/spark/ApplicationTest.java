/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.crail.testkit.Await;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** What is in the store from the begin of an application to its end. */
@Tag("spark")
@Timeout(600) // Spark starts, and is slow on a busy machine
class ApplicationTest {
    private SparkCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = SparkCluster.start(1);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void shouldHaveADirectoryWithAnEndThatIsRenewed() throws Exception {
        try (JavaSparkContext spark = new JavaSparkContext(cluster.conf())) {
            assertThat(SparkCluster.counts(spark).count()).isEqualTo(10);
            assertThat(cluster.application()).startsWith("/spark/" + spark.sc().appName() + "-");
            Await.until("the directory has an end", () -> {
                long remainingMs = cluster.store()
                        .namespace()
                        .status(cluster.application())
                        .get()
                        .lifetime()
                        .remainingMs();
                return remainingMs > 500_000;
            });
        }
        assertThat(cluster.below(ApplicationDirectory.ROOT)).isEmpty();
    }

    @Test
    void shouldDeleteAShuffleThatNobodyRefersTo() throws Exception {
        SparkConf conf = cluster.conf().set("spark.cleaner.referenceTracking.blocking.shuffle", "true");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            assertThat(SparkCluster.counts(spark).count()).isEqualTo(10);
            String shuffle = cluster.application() + "/0";
            assertThat(cluster.below(shuffle)).isNotEmpty();
            Await.until("the shuffle is deleted", () -> {
                System.gc();
                return cluster.store().lookup(shuffle).get() == null;
            });
        }
    }

    /** Whose third value cannot be written. */
    private static final class Refused implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) throws IOException {
            throw new IOException("to show");
        }
    }

    /** Spark's writer for aggregated outputs says nothing of its failure. */
    @Test
    void shouldDeleteTheFileOfATaskThatFails() throws Exception {
        SparkConf conf = cluster.conf().set("spark.crail.shuffle.smalloutput", "1k");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            spark.setLogLevel("OFF");
            JavaPairRDD<Integer, Serializable> failing = spark.parallelize(List.of(1, 2, 3), 1)
                    .mapToPair(each ->
                            new Tuple2<Integer, Serializable>(each, each == 3 ? new Refused() : new byte[100_000]))
                    .reduceByKey((one, other) -> one, 1);
            assertThatThrownBy(failing::count).hasStackTraceContaining("to show");
            Await.until("the file is deleted", () -> cluster.below(cluster.application() + "/0")
                    .isEmpty());
        }
    }

    /** What it held is computed again. */
    @Test
    void shouldGoOnAfterARestartOfTheNamenode() throws Exception {
        try (JavaSparkContext spark = new JavaSparkContext(cluster.conf())) {
            spark.setLogLevel("OFF");
            JavaPairRDD<Integer, Integer> counts = SparkCluster.counts(spark);
            assertThat(counts.count()).isEqualTo(10);
            cluster.restartNamenode();
            assertThat(counts.count()).isEqualTo(10);
            assertThat(SparkCluster.counts(spark).count()).isEqualTo(10);
        }
    }

    /** Spark tells what was set later only to executors that ask later. */
    @Test
    void shouldChooseTheDirectoryBeforeExecutorsAsk() {
        SparkConf conf = cluster.conf().setAppName("rows / of: a day");
        new CrailShuffleManager(conf, true).stop();
        assertThat(StoreSettings.directory(conf)).startsWith("/spark/rows-of-a-day-");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spark.shuffle.push.enabled",
                "spark.shuffle.service.enabled",
                "spark.executor.userClassPathFirst",
                "spark.driver.userClassPathFirst",
                "spark.shuffle.useOldFetchProtocol"
            })
    void shouldRefuseWhatDoesNotGoWithIt(String key) {
        SparkConf conf = cluster.conf().set(key, "true");
        assertThatThrownBy(() -> new CrailShuffleManager(conf, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key)
                .hasMessageContaining("set it to false");
    }

    @Test
    void shouldRefuseAnotherPluginForOutputs() {
        SparkConf conf = cluster.conf().set("spark.shuffle.sort.io.plugin.class", "a.Plugin");
        assertThatThrownBy(() -> new CrailShuffleManager(conf, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("does not go with spark.shuffle.sort.io.plugin.class=a.Plugin: outputs would go"
                        + " elsewhere than to Crail; do not set it");
    }

    @Test
    void shouldKeepListenersThatAreSet() {
        SparkConf conf = cluster.conf().set("spark.extraListeners", "a.Listener");
        new CrailShuffleManager(conf, true).stop();
        assertThat(conf.get("spark.extraListeners")).isEqualTo("a.Listener," + LostOutputs.class.getName());
    }

    /** The driver's, as tasks run in its process; what an application moves is told by class. */
    @Test
    void shouldCountWhatIsMovedAmongTheMetricsOfSpark() throws Exception {
        SparkConf conf = cluster.conf().set("spark.plugins", CrailPlugin.class.getName());
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            assertThat(SparkCluster.counts(spark).count()).isEqualTo(10);
            Map<String, Object> gauges = new HashMap<>();
            SparkEnv.get()
                    .metricsSystem()
                    .getSourcesByName("plugin." + CrailPlugin.class.getName())
                    .foreach(source -> {
                        source.metricRegistry()
                                .getGauges()
                                .forEach((name, gauge) -> gauges.put(name, gauge.getValue()));
                        return null;
                    });
            assertThat(gauges).containsKeys("reads", "writes", "readBytes", "writeBytes", "readBytes.class0");
            assertThat((Long) gauges.get("writeBytes.class0")).isPositive().isEqualTo(gauges.get("writeBytes"));
        }
    }

    @Test
    void shouldRefuseAStorageClassThatIsNoNumber() {
        SparkConf conf = cluster.conf().set("spark.crail.shuffle.storageclass", "flash");
        assertThatThrownBy(() -> new CrailShuffleManager(conf, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "spark.crail.shuffle.storageclass is flash; set it to the number of a storage class, 0 for the"
                                + " first one");
    }
}

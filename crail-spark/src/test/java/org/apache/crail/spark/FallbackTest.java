/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.SparkConf;
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

/** Shuffles that go to Spark's own local files. */
@Tag("spark")
@Timeout(600) // Spark starts, and is slow on a busy machine
class FallbackTest {
    private static final String KEY = "spark.crail.shuffle.fallback";

    private SparkCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = SparkCluster.start(1);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private static void assertRight(JavaPairRDD<Integer, Integer> counts) {
        assertThat(counts.collectAsMap()).hasSize(10).allSatisfy((key, count) -> assertThat(count)
                .isEqualTo(100));
    }

    private SparkConf unreachable(String fallback) {
        return SparkCluster.plainConf()
                .set("spark.shuffle.manager", CrailShuffleManager.class.getName())
                .set("spark.crail.namenode.address", "crail://127.0.0.1:1")
                .set("spark.crail.connecttimeout", "1s")
                .set(KEY, fallback);
    }

    @ParameterizedTest
    @CsvSource({"never, true", "auto, true", "always, false"})
    void shouldChooseBySettingWhereTheStoreIsWell(String fallback, boolean isInCrail) throws Exception {
        try (JavaSparkContext spark = new JavaSparkContext(cluster.conf().set(KEY, fallback))) {
            assertRight(SparkCluster.counts(spark));
            List<String> applications = cluster.below(ApplicationDirectory.ROOT);
            assertThat(applications).hasSize(isInCrail ? 1 : 0);
            if (isInCrail) {
                assertThat(cluster.below(applications.get(0) + "/0")).isNotEmpty();
            }
        }
    }

    @Test
    void shouldUseLocalFilesWhileTheStoreIsNearlyFull() throws Exception {
        try (JavaSparkContext spark = new JavaSparkContext(cluster.conf().set(KEY, "auto"))) {
            cluster.fill(92);
            JavaPairRDD<Integer, Integer> local = SparkCluster.counts(spark);
            assertRight(local);
            assertThat(cluster.below(cluster.application())).isEmpty();
            cluster.empty();
            assertRight(SparkCluster.counts(spark));
            assertThat(cluster.below(cluster.application())).hasSize(1);
            assertRight(local);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "always"})
    void shouldUseLocalFilesWhereTheStoreCannotBeReached(String fallback) {
        try (JavaSparkContext spark = new JavaSparkContext(unreachable(fallback))) {
            assertRight(SparkCluster.counts(spark));
        }
    }

    @Test
    void shouldRefuseToStartWhereTheStoreCannotBeReachedAndIsNeeded() {
        assertThatThrownBy(() -> new JavaSparkContext(unreachable("never")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is spark.crail.namenode.address right?");
    }

    @Test
    void shouldRefuseAnUnknownSetting() {
        assertThatThrownBy(() -> new CrailShuffleManager(cluster.conf().set(KEY, "perhaps"), true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(KEY + " is perhaps; set it to one of never, auto, always");
    }
}

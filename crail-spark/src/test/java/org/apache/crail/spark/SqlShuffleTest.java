/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries whose plans change while they run give what they give with Spark's own shuffles. */
@Tag("spark")
@Timeout(600) // Spark starts, and is slow on a busy machine
class SqlShuffleTest {
    /** One customer has half of all orders. */
    private static final String ORDERS =
            "select id, if(id % 2 = 0, 0, id % 97) customer, repeat('x', 50) note" + " from range(0, 60000, 1, 6)";

    private static final String CUSTOMERS = "select id customer, concat('name', id) name from range(0, 97, 1, 3)";

    private static final Map<String, String> QUERIES = new TreeMap<>(Map.of(
            "aggregate", "select customer, count(*), sum(id) from orders group by customer order by customer",
            "join",
                    "select name, count(*), max(length(note)) from orders join customers using (customer)"
                            + " group by name order by name",
            "skewed",
                    "select o.customer, o.id, c.name from orders o join customers c on o.customer = c.customer"
                            + " order by o.id limit 500 offset 59000",
            "window",
                    "select id, r from (select id, row_number() over (partition by customer order by id) r"
                            + " from orders) where r % 1000 = 0 order by id",
            "distinct", "select count(distinct customer), count(distinct id) from orders"));

    private static SparkConf sql(SparkConf conf) {
        return conf.set("spark.sql.adaptive.advisoryPartitionSizeInBytes", "16k")
                .set("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "32k")
                .set("spark.sql.adaptive.skewJoin.skewedPartitionFactor", "1.5")
                .set("spark.sql.autoBroadcastJoinThreshold", "-1")
                .set("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/crail-spark-warehouse");
    }

    private static SparkSession session(SparkConf conf) {
        SparkSession session = SparkSession.builder().config(conf).getOrCreate();
        session.sql(ORDERS).createOrReplaceTempView("orders");
        session.sql(CUSTOMERS).createOrReplaceTempView("customers");
        return session;
    }

    private static Map<String, List<Row>> results(SparkConf conf) {
        Map<String, List<Row>> results = new TreeMap<>();
        try (SparkSession session = session(conf)) {
            QUERIES.forEach(
                    (name, query) -> results.put(name, session.sql(query).collectAsList()));
        }
        return results;
    }

    @ParameterizedTest
    @CsvSource({
        "spark.sql.adaptive.enabled, true",
        "spark.sql.shuffle.partitions, 300",
        "spark.io.encryption.enabled, true",
        "spark.shuffle.compress, false"
    })
    void shouldGiveWhatSparksOwnShufflesGive(String key, String value) throws Exception {
        Map<String, List<Row>> expected = results(sql(SparkCluster.plainConf()).set(key, value));
        try (SparkCluster cluster = SparkCluster.start(2)) {
            assertThat(results(sql(cluster.conf()).set(key, value))).isEqualTo(expected);
            assertThat(cluster.below(ApplicationDirectory.ROOT)).isEmpty();
        }
    }

    private static String planOf(SparkSession session, String query) {
        Dataset<Row> rows = session.sql(query);
        assertThat(rows.collectAsList()).hasSize(60_000);
        return rows.queryExecution().executedPlan().toString();
    }

    /** Partitions are read together, in part, and by map task: all three read other ranges than one partition. */
    @Test
    void shouldReadTheRangesOfAdaptivePlans() throws Exception {
        try (SparkCluster cluster = SparkCluster.start(2);
                SparkSession session = session(sql(cluster.conf()))) {
            String skewed = "select o.customer, o.id, c.name from orders o join customers c on o.customer = c.customer";
            assertThat(planOf(session, skewed)).contains("AQEShuffleRead coalesced and skewed");
            session.conf().set("spark.sql.adaptive.autoBroadcastJoinThreshold", "10m");
            assertThat(planOf(session, skewed)).contains("AQEShuffleRead local");
        }
    }
}

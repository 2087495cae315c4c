/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.crail.testkit.Await;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleBlockInfo;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.FallbackStorage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** The file system for Hadoop beside the Hadoop that Spark brings, an older one than it is compiled against. */
@Tag("spark")
@Timeout(600) // Spark starts, and is slow on a busy machine
class SparksHadoopTest {
    /** No Hadoop without them asks for them. */
    private static final String VECTORED_READS = "org.apache.hadoop.fs.FileRange";

    private static SparkCluster cluster;
    private static FileSystem files;

    @BeforeAll
    static void start() throws Exception {
        assertThat(VersionInfo.getVersion()).startsWith("3.3.");
        cluster = SparkCluster.start(1);
        Configuration conf = new Configuration();
        cluster.servers().configuration().asMap().forEach(conf::set);
        files = FileSystem.newInstance(new Path("crail:///").toUri(), conf);
    }

    @AfterAll
    static void stop() throws Exception {
        files.close();
        cluster.close();
    }

    /** What is compiled against a newer Hadoop may name members that an older one has not, or has of another type. */
    @Test
    void shouldUseOnlyWhatIsThere() {
        List<String> missing = new ArrayList<>();
        for (JavaClass each : new ClassFileImporter().importPackages("org.apache.crail.hdfs")) {
            for (JavaAccess<?> access : each.getAccessesFromSelf()) {
                if (isHadoops(access.getTarget()) && !isThere(access.getTarget())) {
                    missing.add(access.getDescription());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /** Whether it is a member of Hadoop, inherited ones among them, but for what is not there as a whole. */
    private static boolean isHadoops(AccessTarget target) {
        String owner = target.getOwner().getName();
        return (owner.startsWith("org.apache.hadoop.") || owner.startsWith("org.apache.crail.hdfs."))
                && !VECTORED_READS.equals(owner);
    }

    private static boolean isThere(AccessTarget target) {
        Optional<? extends JavaMember> member = target.resolveMember().map(JavaMember.class::cast);
        return member.isPresent()
                && (!(target instanceof AccessTarget.FieldAccessTarget field)
                        || ((JavaField) member.get()).getRawType().equals(field.getRawType()));
    }

    @Test
    void shouldRefuseARename() throws Exception {
        files.create(new Path("/from")).close();
        files.create(new Path("/to")).close();
        assertThat(files.rename(new Path("/from"), new Path("/to"))).isFalse();
        assertThat(files.rename(new Path("/missing"), new Path("/elsewhere"))).isFalse();
    }

    /** Where executors that are decommissioned leave what Spark's own shuffles have in local files. */
    @Test
    void shouldBeAFallbackStorage() throws Exception {
        String path = cluster.servers().configuration().get("crail.namenode.address") + "/fallback/";
        SparkConf conf = SparkCluster.plainConf()
                .set("spark.decommission.enabled", "true")
                .set("spark.storage.decommission.enabled", "true")
                .set("spark.storage.decommission.shuffleBlocks.enabled", "true")
                .set("spark.storage.decommission.fallbackStorage.path", path)
                .set("spark.storage.decommission.fallbackStorage.cleanUp", "true");
        cluster.servers().configuration().asMap().forEach((key, value) -> conf.set("spark.hadoop." + key, value));
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            JavaPairRDD<Integer, Integer> counts = SparkCluster.counts(spark);
            List<Tuple2<Integer, Integer>> expected = counts.collect();
            moveAll(spark.getConf());
            assertThat(files.getContentSummary(new Path("/fallback")).getLength())
                    .isPositive();
            assertThat(counts.collect()).containsExactlyInAnyOrderElementsOf(expected);
        }
        assertThat(files.listStatus(new Path("/fallback"))).isEmpty();
    }

    private static void moveAll(SparkConf conf) throws Exception {
        BlockManager blocks = SparkEnv.get().blockManager();
        FallbackStorage storage = FallbackStorage.getFallbackStorage(conf).get();
        IndexShuffleBlockResolver local =
                (IndexShuffleBlockResolver) SparkEnv.get().shuffleManager().shuffleBlockResolver();
        for (MapStatus output : outputs()) {
            storage.copy(new ShuffleBlockInfo(0, output.mapId()), blocks);
            local.removeDataByMap(0, output.mapId());
        }
        Await.until("the driver knows", () -> Arrays.stream(outputs())
                .allMatch(output -> output.location().equals(FallbackStorage.FALLBACK_BLOCK_MANAGER_ID())));
    }

    private static MapStatus[] outputs() {
        MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
        return tracker.shuffleStatuses().apply(0).mapStatuses();
    }
}

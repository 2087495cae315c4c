/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.metadata.StoreCapacity;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** A cluster for Spark in the process of the test. Used by one test thread. */
final class SparkCluster implements AutoCloseable {
    private static final String FILLER = "/filler";

    private final MiniCluster cluster;
    private final CrailStore store;

    private SparkCluster(MiniCluster cluster) throws Exception {
        this.cluster = cluster;
        this.store = cluster.newStore();
    }

    /** Blocks of 64 KiB on so many datanodes. */
    static SparkCluster start(int datanodes) throws Exception {
        return new SparkCluster(MiniCluster.builder(ClusterKind.SOCKETS)
                .datanodes(datanodes)
                .blocksPerDatanode(4096)
                .start());
    }

    MiniCluster servers() {
        return cluster;
    }

    /** As if the namenode had crashed: it forgets all, and the datanodes register again. */
    void restartNamenode() throws Exception {
        cluster.stopNamenode();
        startNamenode();
    }

    /** Starts it with datanodes that it does not know. */
    void startNamenode() throws Exception {
        cluster.startNamenode();
        Await.until(
                "the datanodes have registered again",
                () -> store.namespace().capacity().get().freeBytes() > 0);
    }

    CrailStore store() {
        return store;
    }

    /** Two slots, and shuffles in this cluster. */
    SparkConf conf() {
        SparkConf conf = plainConf().set("spark.shuffle.manager", CrailShuffleManager.class.getName());
        cluster.configuration().asMap().forEach((key, value) -> conf.set("spark." + key, value));
        return conf;
    }

    /** Two slots, and Spark's own shuffles. */
    static SparkConf plainConf() {
        return new SparkConf(false)
                .setMaster("local[2]")
                .setAppName("shuffle")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.ui.enabled", "false")
                .set("spark.sql.shuffle.partitions", "8")
                .set("spark.unsafe.exceptionOnMemoryLeak", "true")
                .set("spark.default.parallelism", "4");
    }

    /** A small job: a shuffle with four map tasks, whose ten keys each count 100. */
    static JavaPairRDD<Integer, Integer> counts(JavaSparkContext spark) {
        List<Integer> numbers = IntStream.range(0, 1_000).boxed().toList();
        return spark.parallelize(numbers, 4)
                .mapToPair(each -> new Tuple2<>(each % 10, 1))
                .reduceByKey(Integer::sum, 3);
    }

    /** The paths of all nodes below one, the enumerable and the others; none if it is not there. */
    List<String> below(String path) throws Exception {
        List<String> found = new ArrayList<>();
        if (store.lookup(path).get() != null) {
            var page = store.namespace().children(path, "").get();
            page.children().forEach(child -> found.add(path + "/" + child.name()));
        }
        return found;
    }

    /** Uses so much of the space for one file. */
    void fill(int percent) throws Exception {
        StoreCapacity capacity = store.namespace().capacity().get();
        long bytes = capacity.totalBytes() * percent / 100;
        byte[] part = new byte[1 << 20];
        CrailFile file = store.create(
                        FILLER, CrailNodeType.DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false)
                .get()
                .asFile();
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(0)) {
            for (long left = bytes; left > 0; left -= part.length) {
                out.write(part, 0, (int) Math.min(left, part.length));
            }
        }
    }

    /** Deletes that file. */
    void empty() throws Exception {
        Object ignored = store.delete(FILLER, false).get();
    }

    /** The only application's directory. */
    String application() throws Exception {
        return below(ApplicationDirectory.ROOT).get(0);
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }
}

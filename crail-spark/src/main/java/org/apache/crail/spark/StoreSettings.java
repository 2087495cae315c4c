/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/**
 * The store that Spark's settings name: what Crail finds by itself, then the keys {@code spark.hadoop.crail.*}, then
 * {@code spark.crail.*}. Stateless.
 */
final class StoreSettings {
    /** What the driver tells the executors: the directory of the application. */
    private static final String DIRECTORY = "crail.directory";

    /** Keys of this module behind such a prefix, and none of the store. */
    static final String BROADCAST = "broadcast";

    static final String FALLBACK = "shuffle.fallback";

    static final String SMALL_OUTPUT = "shuffle.smalloutput";

    private static final String STORAGE_CLASS = "shuffle.storageclass";

    private static final String DIRECT = "shuffle.direct";

    private static final Set<String> NOT_OF_THE_STORE =
            Set.of(BROADCAST, FALLBACK, SMALL_OUTPUT, STORAGE_CLASS, DIRECT);

    /** A task holds twice as many in memory. */
    private static final int MOST_SMALL_BYTES = 4 << 20;

    /** Where Spark puts what the driver tells. */
    private static final String TOLD = "spark.shuffle.plugin.__config__.";

    private static final List<String> PREFIXES = List.of("spark.hadoop.crail.", "spark.crail.");

    private StoreSettings() {}

    /** The keys of the store and their values, without those that Crail finds by itself. */
    static Map<String, String> of(SparkConf conf) {
        Map<String, String> settings = new HashMap<>();
        for (String prefix : PREFIXES) {
            for (Tuple2<String, String> entry : conf.getAllWithPrefix(prefix)) {
                if (!NOT_OF_THE_STORE.contains(entry._1())) {
                    settings.put("crail." + entry._1(), entry._2());
                }
            }
        }
        return settings;
    }

    /** Up to how many bytes an output is stored behind others; 0 for none. */
    static int smallOutputBytes(SparkConf conf) {
        String key = "spark.crail." + SMALL_OUTPUT;
        long bytes = conf.getSizeAsBytes(key, "256k");
        if (bytes > MOST_SMALL_BYTES) {
            throw new IllegalArgumentException(
                    key + " is " + conf.get(key) + "; set it to at most " + (MOST_SMALL_BYTES >> 20) + "m");
        }
        return (int) bytes;
    }

    /** Whether map tasks write without local files where that can be. */
    static boolean isDirect(SparkConf conf) {
        return conf.getBoolean("spark.crail." + DIRECT, true);
    }

    /** The class of the blocks that outputs of map tasks ask for first: the first one unless there is a setting. */
    static CrailStorageClass storageClass(SparkConf conf) {
        String key = "spark.crail." + STORAGE_CLASS;
        String value = conf.get(key, "");
        if (value.isEmpty()) {
            return CrailStorageClass.DEFAULT;
        }
        if (!value.matches("[0-9]{1,3}")) {
            throw new IllegalArgumentException(
                    key + " is " + value + "; set it to the number of a storage class, 0 for the first one");
        }
        return CrailStorageClass.get(Integer.parseInt(value));
    }

    /** How many storage classes the cluster has, as far as settings say. */
    static int storageClasses(SparkConf conf) throws IOException {
        return CrailKeys.storageClasses(configuration(of(conf)));
    }

    private static CrailConfiguration configuration(Map<String, String> settings) throws IOException {
        CrailConfiguration all = CrailConfiguration.createDefaultConfiguration();
        settings.forEach(all::set);
        return all;
    }

    /** Opens a store, which belongs to the caller. */
    static CrailStore open(Map<String, String> settings) throws IOException {
        CrailConfiguration all = configuration(settings);
        all.set(CrailKeys.SINGLETON, false);
        return StoreCalls.io("opening the store", () -> CrailStore.newInstance(all));
    }

    /**
     * Chooses the directory of the application's shuffles, in its driver. Executors may ask for Spark's settings before
     * anything that Spark calls later could add it.
     */
    static void chooseDirectory(SparkConf conf) {
        conf.set(TOLD + DIRECTORY, ApplicationDirectory.newPath(conf));
    }

    /** As {@link #directory}; a new one if there is no shuffle manager to choose it. */
    static String directoryOrNew(SparkConf conf) {
        return conf.contains(TOLD + DIRECTORY) ? directory(conf) : ApplicationDirectory.newPath(conf);
    }

    /** The directory of the application's shuffles, as its driver has chosen it. */
    static String directory(SparkConf conf) {
        String directory = conf.get(TOLD + DIRECTORY, "");
        if (directory.isEmpty()) {
            throw new IllegalStateException("the driver has no spark.shuffle.manager="
                    + CrailShuffleManager.class.getName() + ", which this process has");
        }
        return directory;
    }
}

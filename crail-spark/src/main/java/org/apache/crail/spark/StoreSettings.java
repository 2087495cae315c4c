/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.List;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * The store that Spark's settings name: what Crail finds by itself, then the keys {@code spark.hadoop.crail.*}, then
 * {@code spark.crail.*}. Stateless.
 */
final class StoreSettings {
    /** What the driver tells the executors: the directory of the application. */
    static final String DIRECTORY = "crail.directory";

    /** Where Spark puts what the driver tells. */
    private static final String TOLD = "spark.shuffle.plugin.__config__.";

    private static final List<String> PREFIXES = List.of("spark.hadoop.crail.", "spark.crail.");
    private static final Logger LOG = LoggerFactory.getLogger(StoreSettings.class);

    private StoreSettings() {}

    /** Opens a store, which belongs to the caller. */
    static CrailStore open(SparkConf conf) throws IOException {
        CrailConfiguration settings = CrailConfiguration.createDefaultConfiguration();
        for (String prefix : PREFIXES) {
            for (Tuple2<String, String> entry : conf.getAllWithPrefix(prefix)) {
                settings.set("crail." + entry._1(), entry._2());
            }
        }
        settings.set(CrailKeys.SINGLETON, false);
        return StoreCalls.io("opening the store", () -> CrailStore.newInstance(settings));
    }

    static void close(CrailStore store) {
        try {
            StoreCalls.run("closing the store", store::close);
        } catch (IOException e) {
            LOG.warn("The store did not close well", e);
        }
    }

    /** The directory of the application, as its driver has told. */
    static String directory(SparkConf conf) {
        String directory = conf.get(TOLD + DIRECTORY, "");
        if (directory.isEmpty()) {
            throw new IllegalStateException("the driver has made no directory in Crail; leave"
                    + " spark.shuffle.sort.io.plugin.class unset, or set it to " + CrailShuffleDataIO.class.getName());
        }
        return directory;
    }
}

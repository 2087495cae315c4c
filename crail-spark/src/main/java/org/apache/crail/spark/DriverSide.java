/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.api.ShuffleDriverComponents;

/** The directory of the application's shuffles: made with the context, deleted with it. All methods are thread safe. */
final class DriverSide implements ShuffleDriverComponents {
    private final SparkConf conf;
    private volatile ApplicationDirectory directory;

    DriverSide(SparkConf conf) {
        this.conf = conf;
    }

    /** Makes the directory; Spark tells executors what this answers. */
    @Override
    public Map<String, String> initializeApplication() {
        try {
            directory =
                    ApplicationDirectory.create(CrailShuffleManager.current().store(), conf.get("spark.app.id", "app"));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "cannot make a directory for shuffles in Crail: " + e.getMessage()
                            + "; is spark.crail.namenode.address right?",
                    e);
        }
        return Map.of(StoreSettings.DIRECTORY, directory.path());
    }

    @Override
    public void removeShuffle(int shuffleId, boolean blocking) {
        SparkEnv.get().blockManager().master().removeShuffle(shuffleId, blocking);
        directory.delete(MapOutputs.directory(directory.path(), shuffleId));
    }

    @Override
    public void cleanupApplication() {
        if (directory != null) {
            directory.delete();
        }
    }

    /** The loss of an executor loses no output. */
    @Override
    public boolean supportsReliableStorage() {
        return true;
    }
}

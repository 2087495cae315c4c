/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.util.Map;
import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.api.ShuffleDriverComponents;

/** The directory of the application's shuffles: made with the context, deleted with it. All methods are thread safe. */
final class DriverSide implements ShuffleDriverComponents {
    /** Null before there is one, or if all shuffles go to local files. */
    private volatile ApplicationDirectory directory;

    /** Makes the directory, which executors know already. */
    @Override
    public Map<String, String> initializeApplication() {
        directory = CrailShuffleManager.current().createDirectory();
        return Map.of();
    }

    @Override
    public void removeShuffle(int shuffleId, boolean blocking) {
        if (directory != null) {
            directory.delete(MapOutputs.directory(directory.path(), shuffleId));
        }
        SparkEnv.get().blockManager().master().removeShuffle(shuffleId, blocking);
    }

    @Override
    public void cleanupApplication() {
        if (directory != null) {
            directory.leave();
        }
    }

    /** The loss of an executor loses no output in Crail; what is in its local files is missed when it is read. */
    @Override
    public boolean supportsReliableStorage() {
        return true;
    }
}

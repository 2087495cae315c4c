/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailStore;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.api.ShuffleDriverComponents;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's directory: made with the context, deleted with it, and without a driver to say otherwise it goes by
 * itself. Failed deletions are logged, as that is their last chance then. All methods are thread safe.
 */
final class DriverSide implements ShuffleDriverComponents {
    private static final Logger LOG = LoggerFactory.getLogger(DriverSide.class);
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final String directory;
    private final ScheduledExecutorService renewal = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "crail-shuffle-lease");
        thread.setDaemon(true);
        return thread;
    });

    private volatile CrailStore store;

    DriverSide(SparkConf conf) {
        this.directory = MapOutputs.ROOT + "/" + conf.get("spark.app.id", "app") + "-" + UUID.randomUUID();
    }

    /** Makes the directory; Spark tells executors what this answers. */
    @Override
    public Map<String, String> initializeApplication() {
        long periodMs = LEASE.toMillis() / 3;
        try {
            store = CrailShuffleManager.current().store();
            MapOutputs.createDirectory(store, MapOutputs.ROOT);
            MapOutputs.createDirectory(store, directory);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "cannot make the directory " + directory + " for shuffles in Crail: " + e.getMessage()
                            + "; is spark.crail.namenode.address right?",
                    e);
        }
        renewal.scheduleWithFixedDelay(this::renew, 0, periodMs, TimeUnit.MILLISECONDS);
        return Map.of(StoreSettings.DIRECTORY, directory);
    }

    private void renew() {
        try {
            Object ignored = StoreCalls.await("renewing " + directory, () -> store.expire(directory, LEASE));
        } catch (IOException | RuntimeException e) {
            LOG.warn("The directory {} goes in {} at the latest unless this is not repeated", directory, LEASE, e);
        }
    }

    @Override
    public void removeShuffle(int shuffleId, boolean blocking) {
        SparkEnv.get().blockManager().master().removeShuffle(shuffleId, blocking);
        delete(MapOutputs.directory(directory, shuffleId));
    }

    @Override
    public void cleanupApplication() {
        renewal.shutdownNow();
        if (store != null) {
            delete(directory);
        }
    }

    private void delete(String path) {
        try {
            Object ignored = StoreCalls.await("deleting " + path, () -> store.delete(path, true));
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} was not deleted; it goes by itself {} after the driver", path, LEASE, e);
        }
    }

    /** The loss of an executor loses no output. */
    @Override
    public boolean supportsReliableStorage() {
        return true;
    }
}

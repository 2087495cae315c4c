/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailStore;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of an application, which its driver makes and deletes. Without a driver to say otherwise it goes by
 * itself. A failed deletion is logged and not repeated, for the same reason. All methods are thread safe.
 */
final class ApplicationDirectory {
    static final String ROOT = "/spark";

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationDirectory.class);
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final int MOST_NAME = 64;

    private final CrailStore store;
    private final String path;
    private final ScheduledExecutorService renewal;

    private ApplicationDirectory(CrailStore store, String path) {
        this.store = store;
        this.path = path;
        this.renewal = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "crail-lease");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** A path that no other application has, with the application's name. */
    static String newPath(SparkConf conf) {
        String name = conf.get("spark.app.name", "application").replaceAll("[^A-Za-z0-9._-]+", "-");
        return ROOT + "/" + name.substring(0, Math.min(name.length(), MOST_NAME)) + "-" + UUID.randomUUID();
    }

    /** Makes a directory, and renews its end from now on; to be called by the driver. */
    static ApplicationDirectory create(CrailStore store, String path) throws IOException {
        ensure(store, path);
        ApplicationDirectory directory = new ApplicationDirectory(store, path);
        long periodMs = LEASE.toMillis() / 3;
        directory.renewal.scheduleWithFixedDelay(directory::renew, periodMs, periodMs, TimeUnit.MILLISECONDS);
        return directory;
    }

    /** Makes a directory with an end, unless it is there: the namenode may have lost it. Any process may call this. */
    static void ensure(CrailStore store, String path) throws IOException {
        MapOutputs.createDirectory(store, ROOT);
        MapOutputs.createDirectory(store, path);
        Object ignored = StoreCalls.await("renewing " + path, () -> store.expire(path, LEASE));
    }

    String path() {
        return path;
    }

    private void renew() {
        try {
            ensure(store, path);
        } catch (IOException | RuntimeException e) {
            LOG.warn("The directory {} goes in {} at the latest unless this is not repeated", path, LEASE, e);
        }
    }

    /** Deletes something in the directory. */
    void delete(String node) {
        try {
            Object ignored = StoreCalls.await("deleting " + node, () -> store.delete(node, true));
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} was not deleted; it goes by itself {} after the driver", node, LEASE, e);
        }
    }

    /** Deletes the directory with all that is in it. */
    void delete() {
        renewal.shutdownNow();
        delete(path);
    }
}

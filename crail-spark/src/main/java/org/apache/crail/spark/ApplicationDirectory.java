/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.error.NodeExistsException;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of an application, which its driver makes for whoever needs it first, and deletes behind the last one.
 * Without a driver to say otherwise it goes by itself. A failed deletion is logged and not repeated, for the same
 * reason. All methods are thread safe.
 */
final class ApplicationDirectory {
    static final String ROOT = "/spark";

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationDirectory.class);
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final int MOST_NAME = 64;
    private static final long MOST_WAIT_S = 30;

    /** By their paths; guarded by itself. */
    private static final Map<String, ApplicationDirectory> IN_USE = new HashMap<>();

    private final CrailStore store;
    private final String path;

    /** Renews the end, and deletes what nobody waits for. */
    private final ScheduledExecutorService background;

    /** Guarded by IN_USE. */
    private int users;

    private ApplicationDirectory(CrailStore store, String path, long periodMs) {
        this.store = store;
        this.path = path;
        this.background = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "crail-lease");
            thread.setDaemon(true);
            return thread;
        });
        background.scheduleWithFixedDelay(this::renew, periodMs, periodMs, TimeUnit.MILLISECONDS);
    }

    /** A path that no other application has, with the application's name. */
    static String newPath(SparkConf conf) {
        String name = conf.get("spark.app.name", "application").replaceAll("[^A-Za-z0-9._-]+", "-");
        return ROOT + "/" + name.substring(0, Math.min(name.length(), MOST_NAME)) + "-" + UUID.randomUUID();
    }

    /**
     * Makes a directory, unless somebody in this driver uses it already, and renews its end from now on. Who calls this
     * calls {@link #leave} in the end, and closes the store later.
     */
    static ApplicationDirectory use(CrailStore store, String path) throws IOException {
        return use(store, path, LEASE.toMillis() / 3);
    }

    /** As {@link #use(CrailStore, String)}, with another time between renewals. */
    static ApplicationDirectory use(CrailStore store, String path, long periodMs) throws IOException {
        synchronized (IN_USE) {
            ApplicationDirectory directory = IN_USE.get(path);
            if (directory == null) {
                ensure(store, path);
                directory = new ApplicationDirectory(store, path, periodMs);
                IN_USE.put(path, directory);
            }
            directory.users++;
            return directory;
        }
    }

    /** Makes a directory with an end, unless it is there: the namenode may have lost it. Any process may call this. */
    static void ensure(CrailStore store, String path) throws IOException {
        createDirectory(store, ROOT);
        createDirectory(store, path);
        Object ignored = StoreCalls.await("renewing " + path, () -> store.expire(path, LEASE));
    }

    /** Makes a directory, unless it is there. */
    static void createDirectory(CrailStore store, String path) throws IOException {
        createContainer(store, path, CrailNodeType.DIRECTORY);
    }

    /** Makes a table, unless it is there. */
    static void createTable(CrailStore store, String path) throws IOException {
        createContainer(store, path, CrailNodeType.TABLE);
    }

    private static void createContainer(CrailStore store, String path, CrailNodeType type) throws IOException {
        try {
            Object ignored = StoreCalls.await(
                    "creating " + path,
                    () -> store.create(path, type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, true));
        } catch (NodeExistsException e) {
            // made before, or by another task
        }
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

    /** Deletes something in the directory, also in a thread that was interrupted. */
    void delete(String node) {
        String what = "deleting " + node;
        try {
            StoreCalls.runAnyway(what, () -> {
                Object ignored = StoreCalls.await(what, () -> store.delete(node, true));
            });
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} was not deleted; it goes by itself {} after the driver", node, LEASE, e);
        }
    }

    /** Deletes something in the directory when an operation has ended, and waits for neither. */
    void deleteBehind(CompletableFuture<?> operation, String node) {
        CompletableFuture<?> ignored = operation.whenCompleteAsync((done, failure) -> delete(node), background);
    }

    /** Ends one use; the last one deletes the directory with all that is in it. */
    void leave() {
        synchronized (IN_USE) {
            users--;
            if (users > 0) {
                return;
            }
            IN_USE.remove(path);
        }
        endBackground();
        delete(path);
    }

    /** A renewal that is under way would make the directory again. */
    private void endBackground() {
        background.shutdown();
        try {
            StoreCalls.runAnyway("waiting for the last renewal of " + path, () -> {
                if (!background.awaitTermination(MOST_WAIT_S, TimeUnit.SECONDS)) {
                    LOG.warn("The renewal of {} has not ended in {} s", path, MOST_WAIT_S);
                }
            });
        } catch (IOException e) {
            LOG.warn("A renewal of {} may make it again", path, e);
        }
    }
}

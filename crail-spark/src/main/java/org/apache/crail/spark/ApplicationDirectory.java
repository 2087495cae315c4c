/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of an application, which its driver makes and deletes. Without a driver to say otherwise it goes by
 * itself. Failed deletions are logged, as that is their last chance then. All methods are thread safe.
 */
final class ApplicationDirectory {
    static final String ROOT = "/spark";

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationDirectory.class);
    private static final Duration LEASE = Duration.ofMinutes(10);

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

    /**
     * Makes a directory, and renews its end from now on.
     *
     * @param name of the application, which others may have
     */
    static ApplicationDirectory create(CrailStore store, String name) throws IOException {
        String path = ROOT + "/" + name + "-" + UUID.randomUUID();
        MapOutputs.createDirectory(store, ROOT);
        MapOutputs.createDirectory(store, path);
        ApplicationDirectory directory = new ApplicationDirectory(store, path);
        directory.renewal.scheduleWithFixedDelay(directory::renew, 0, LEASE.toMillis() / 3, TimeUnit.MILLISECONDS);
        return directory;
    }

    String path() {
        return path;
    }

    private void renew() {
        try {
            Object ignored = StoreCalls.await("renewing " + path, () -> store.expire(path, LEASE));
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

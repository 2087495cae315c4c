/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.crail.CrailStore;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store of this process that Spark's settings name, for all who use it: opened when it is needed first, closed when
 * the last user has gone. Thread safe.
 */
final class SharedStore {
    private static final Logger LOG = LoggerFactory.getLogger(SharedStore.class);

    /** By their settings; guarded by itself. */
    private static final Map<Map<String, String>, SharedStore> IN_USE = new HashMap<>();

    private final Map<String, String> settings;

    /** Guarded by IN_USE. */
    private int users;

    /** Null until it is needed; changes are guarded by this. */
    private volatile CrailStore store;

    private SharedStore(Map<String, String> settings) {
        this.settings = settings;
    }

    /** Who calls this calls {@link #leave} in the end. */
    static SharedStore use(SparkConf conf) {
        synchronized (IN_USE) {
            SharedStore shared = IN_USE.computeIfAbsent(StoreSettings.of(conf), SharedStore::new);
            shared.users++;
            return shared;
        }
    }

    /** That of somebody else, who uses it longer than the caller does; null if nobody does. */
    static SharedStore inUse(SparkConf conf) {
        synchronized (IN_USE) {
            return IN_USE.get(StoreSettings.of(conf));
        }
    }

    /** The store, which stays open until the last user leaves. */
    synchronized CrailStore open() throws IOException {
        if (store == null) {
            store = StoreSettings.open(settings);
        }
        return store;
    }

    /** The store if it is open, else null; does not wait for whoever opens it. */
    CrailStore opened() {
        return store;
    }

    /** Ends one use. */
    void leave() {
        synchronized (IN_USE) {
            users--;
            if (users > 0) {
                return;
            }
            IN_USE.remove(settings);
        }
        close();
    }

    private synchronized void close() {
        CrailStore open = store;
        store = null;
        if (open != null) {
            LOG.info("Moved between this process and Crail: {}", StoreMetrics.report(open));
            try {
                StoreCalls.run("closing the store", open::close);
            } catch (IOException e) {
                LOG.warn("The store did not close well", e);
            }
        }
    }
}

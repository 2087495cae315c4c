/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;

/** Open stores, one for each configuration. Used by one thread. */
public final class Stores implements AutoCloseable {
    private final Map<SortedMap<String, String>, OpenStore> open;
    private final boolean borrowed;

    private Stores(Map<SortedMap<String, String>, OpenStore> open, boolean borrowed) {
        this.open = open;
        this.borrowed = borrowed;
    }

    /** None yet. */
    public Stores() {
        this(new HashMap<>(), false);
    }

    /** The same stores, for a command that leaves them open. */
    Stores borrow() {
        return new Stores(open, true);
    }

    /** The store of a configuration, opened if it is not open. */
    public CrailStore of(CrailConfiguration conf) throws Exception {
        OpenStore store = open.get(conf.asMap());
        if (store == null) {
            store = OpenStore.open(conf);
            open.put(conf.asMap(), store);
        }
        return store.store();
    }

    /** Closes the stores, if they are not borrowed. */
    @Override
    public void close() throws IOException {
        if (borrowed) {
            return;
        }
        for (OpenStore store : open.values()) {
            store.close();
        }
        open.clear();
    }
}

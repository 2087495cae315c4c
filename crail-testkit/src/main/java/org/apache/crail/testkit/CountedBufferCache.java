/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.memory.MappedBufferCache;

/**
 * A buffer cache that a test can ask how many buffers its store has not given back. All methods are thread safe.
 */
public final class CountedBufferCache extends MappedBufferCache {
    private static final String KEY = "testkit.buffers";
    private static final Map<String, CountedBufferCache> CACHES = new ConcurrentHashMap<>();
    private static final AtomicInteger IDS = new AtomicInteger();

    /** Called by the store. */
    public CountedBufferCache(CrailConfiguration conf) throws IOException {
        super(conf);
        CACHES.put(conf.get(KEY), this);
    }

    /** Makes the store that is opened with this configuration use such a cache; answers its name. */
    public static String attach(CrailConfiguration configuration) {
        String name = Integer.toString(IDS.incrementAndGet());
        configuration.set(KEY, name);
        configuration.set("crail.cacheimpl", CountedBufferCache.class.getName());
        return name;
    }

    /** Buffers that the store of this name has taken and not given back. */
    public static int inUse(String name) {
        return CACHES.get(name).buffersInUse();
    }
}

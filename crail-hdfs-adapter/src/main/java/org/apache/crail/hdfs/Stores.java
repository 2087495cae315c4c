/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;

/**
 * The stores of {@link CrailHDFS}, which Hadoop makes anew for each file context and never closes: one for each
 * configuration, as long as the process lives. Thread safe.
 */
final class Stores {
    private static final Map<SortedMap<String, String>, CrailStore> SHARED = new HashMap<>();

    private Stores() {}

    static CrailStore shared(URI uri, CrailConfiguration settings) throws IOException {
        synchronized (SHARED) {
            CrailStore known = SHARED.get(settings.asMap());
            if (known == null) {
                known = open(uri, settings);
                SHARED.put(settings.asMap(), known);
            }
            return known;
        }
    }

    static CrailStore open(URI uri, CrailConfiguration settings) throws IOException {
        return Failures.call(uri, () -> CrailStore.newInstance(settings));
    }
}

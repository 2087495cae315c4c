/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailStore;

/** What the store of a process has moved, as gauges of Spark's metric system. Stateless. */
final class StoreMetrics {
    private static final String TRANSFERS = "core/transfers";

    private StoreMetrics() {}

    /**
     * Adds gauges: {@code reads}, {@code readBytes}, {@code readBytes.class0} and so on, and the same of writes. They
     * are 0 until the store is needed first.
     *
     * @param storageClasses how many the cluster has
     */
    static void register(MetricRegistry registry, SharedStore store, int storageClasses) {
        List<String> names = new ArrayList<>();
        for (String direction : List.of("read", "write")) {
            names.add(direction + "s");
            names.add(direction + "Bytes");
            for (int storageClass = 0; storageClass < storageClasses; storageClass++) {
                names.add(direction + "Bytes.class" + storageClass);
            }
        }
        for (String name : names) {
            Gauge<Long> gauge = () -> count(store, name);
            Object ignored = registry.register(name, gauge);
        }
    }

    private static long count(SharedStore store, String name) {
        CrailStore opened = store.opened();
        return opened == null ? 0 : opened.getStatistics().counts(TRANSFERS).getOrDefault(name, 0L);
    }

    /** What a store has moved, for people. */
    static String report(CrailStore store) {
        return store.getStatistics().text(TRANSFERS).orElse("nothing is counted");
    }
}

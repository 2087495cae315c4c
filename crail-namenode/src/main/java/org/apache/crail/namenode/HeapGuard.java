/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.crail.conf.CrailKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when the heap gets full, and when it has room again. It looks at the pool of long-lived objects, which changes
 * with collections only, so that what is garbage at once does not count. {@link #look} is to be called by one thread at
 * a time.
 */
final class HeapGuard {
    private static final Logger LOG = LoggerFactory.getLogger(HeapGuard.class);

    /**
     * So much of the limit has to be free again before it counts as room: otherwise each collection would change the
     * answer.
     */
    private static final double ROOM = 0.05;

    private final int limitPercent;
    private final Supplier<MemoryUsage> pool;
    private final Consumer<Boolean> onChange;
    private boolean isFull;

    /**
     * Makes a guard that has not looked yet.
     *
     * @param limitPercent how full the pool may be; with 100 it is never full
     * @param onChange told whether it is full, when that changes
     */
    HeapGuard(int limitPercent, Supplier<MemoryUsage> pool, Consumer<Boolean> onChange) {
        this.limitPercent = limitPercent;
        this.pool = pool;
        this.onChange = onChange;
    }

    /**
     * The pool of this JVM's long-lived objects; with a collector that knows no ages, all of the heap as the last
     * collection left it.
     */
    static Supplier<MemoryUsage> longLived() {
        List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
        MemoryPoolMXBean pool = pools.stream()
                .filter(MemoryPoolMXBean::isUsageThresholdSupported)
                .max(Comparator.comparingLong(each -> each.getUsage().getMax()))
                .orElse(pools.get(0));
        return pools.size() > 1 ? pool::getUsage : pool::getCollectionUsage;
    }

    /** Looks, and tells if the answer is another one. */
    void look() {
        MemoryUsage usage = pool.get();
        if (limitPercent == 100 || usage == null) {
            return;
        }
        long maxBytes =
                usage.getMax() > 0 ? usage.getMax() : Runtime.getRuntime().maxMemory();
        double limitBytes = maxBytes * (limitPercent / 100.0);
        boolean isFullNow = usage.getUsed() > (isFull ? limitBytes * (1 - ROOM) : limitBytes);
        if (isFullNow == isFull) {
            return;
        }
        isFull = isFullNow;
        onChange.accept(isFullNow);
        long usedPercent = usage.getUsed() * 100 / maxBytes;
        if (isFullNow) {
            LOG.error(
                    "the heap is {} % full, more than {} = {} allows: nothing can be created until nodes are deleted; or give"
                            + " the namenode a larger one",
                    usedPercent, CrailKeys.NAMENODE_HEAP_LIMIT, limitPercent);
        } else {
            LOG.info("the heap is {} % full: nodes can be created again", usedPercent);
        }
    }
}

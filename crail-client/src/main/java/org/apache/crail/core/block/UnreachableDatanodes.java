/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.metadata.DataNodeInfo;

/**
 * Datanodes at which a write has failed, and on which no new block should be tried for some time: the longer, the
 * longer it took to fail. So a write does not wait for each block of a datanode that does not answer, and one that
 * refuses at once is tried again at once. Thread safe.
 */
final class UnreachableDatanodes {
    /** A datanode is avoided for so many times as long as a transfer took to fail. */
    private static final int TIMES = 10;

    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(1);

    private final ConcurrentMap<DataNodeInfo, Long> untilNs = new ConcurrentHashMap<>();

    /** A transfer to a datanode, which began at {@code sinceNs}, has failed. */
    void failed(DataNodeInfo datanode, long sinceNs) {
        long nowNs = Surroundings.nanoTime();
        untilNs.put(datanode, nowNs + Math.min(LONGEST_NS, TIMES * (nowNs - sinceNs)));
    }

    /** Whether no new block on a datanode should be tried. */
    boolean contains(DataNodeInfo datanode) {
        Long until = untilNs.isEmpty() ? null : untilNs.get(datanode);
        if (until == null) {
            return false;
        }
        if (Surroundings.nanoTime() - until < 0) {
            return true;
        }
        untilNs.remove(datanode, until);
        return false;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The datanodes of one storage class, those at a wished location first. Not thread safe; guarded by the namespace's lock.
 */
final class StorageClassPool {
    /** The location class of nodes that wish for no location. */
    private static final int ANYWHERE = 0;

    private final DatanodeRing all = new DatanodeRing();
    private final Map<Integer, DatanodeRing> byLocation = new HashMap<>();

    void add(Datanode datanode) {
        all.add(datanode);
        byLocation
                .computeIfAbsent(datanode.info().getLocationClass(), location -> new DatanodeRing())
                .add(datanode);
    }

    void remove(Datanode datanode) {
        all.remove(datanode);
        byLocation.get(datanode.info().getLocationClass()).remove(datanode);
    }

    /** The datanode that gives the next block of this class, or null if no live one {@code has} what is wanted. */
    Datanode next(Predicate<Datanode> has, int locationClass, BlockSelection selection, long nowNs, long timeoutNs) {
        DatanodeRing near = locationClass == ANYWHERE ? null : byLocation.get(locationClass);
        Datanode datanode = near == null ? null : near.next(has, selection, nowNs, timeoutNs);
        return datanode != null ? datanode : all.next(has, selection, nowNs, timeoutNs);
    }
}

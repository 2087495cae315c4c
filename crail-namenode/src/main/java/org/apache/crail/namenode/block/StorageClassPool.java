/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The datanodes of one storage class, those at a wished location first. Not thread safe; guarded by the namespace's
 * lock.
 */
final class StorageClassPool {
    /** The location class of nodes that wish for no location. */
    private static final int ANYWHERE = 0;

    private final DatanodeRing all = new DatanodeRing();
    private final Map<Integer, DatanodeRing> byLocation = new HashMap<>();
    private final ClassFullness fullness;

    StorageClassPool(int storageClass) {
        fullness = new ClassFullness(storageClass);
    }

    ClassFullness fullness() {
        return fullness;
    }

    /** Seats a datanode. */
    void add(DatanodeLife datanode) {
        DatanodeRing near =
                byLocation.computeIfAbsent(datanode.info().getLocationClass(), location -> new DatanodeRing());
        datanode.seat(List.of(
                new DatanodeLife.Seat(all, all.add(datanode)), new DatanodeLife.Seat(near, near.add(datanode))));
    }

    /**
     * The datanode that gives the next block of this class, or null if no live one has what is wanted.
     *
     * @param avoided is not answered; null for none
     */
    DatanodeLife next(Wanted wanted, int locationClass, DatanodeLife avoided, BlockSelection selection) {
        DatanodeRing near = locationClass == ANYWHERE ? null : byLocation.get(locationClass);
        DatanodeLife datanode = near == null ? null : near.next(wanted, avoided, selection);
        return datanode != null ? datanode : all.next(wanted, avoided, selection);
    }
}

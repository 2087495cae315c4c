/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import org.apache.crail.metadata.Ownership;

/**
 * Attributes that many nodes have in common: the classes in which their blocks are preferably allocated, how long they
 * live, and whose they are. All nodes with the same ones share one object. Immutable but for the count of its users,
 * which belongs to {@link AttributeTable}.
 */
final class Attributes {
    final int storageClass;
    final int locationClass;

    /** 0 if there is no limit. */
    final long timeToLiveMs;

    final Ownership ownership;

    /** Nodes that have these attributes. */
    int users;

    Attributes(int storageClass, int locationClass, long timeToLiveMs, Ownership ownership) {
        this.storageClass = storageClass;
        this.locationClass = locationClass;
        this.timeToLiveMs = timeToLiveMs;
        this.ownership = ownership;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Attributes that
                && storageClass == that.storageClass
                && locationClass == that.locationClass
                && timeToLiveMs == that.timeToLiveMs
                && ownership.equals(that.ownership);
    }

    @Override
    public int hashCode() {
        return ((ownership.hashCode() * 31 + storageClass) * 31 + locationClass) * 31 + Long.hashCode(timeToLiveMs);
    }
}

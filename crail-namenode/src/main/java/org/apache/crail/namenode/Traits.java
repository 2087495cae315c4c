/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.metadata.Ownership;

/**
 * What many nodes have in common, held once: where their blocks are preferably allocated, and whose they are. Immutable
 * but for the count of its users, which belongs to {@link TraitsTable}.
 */
final class Traits {
    final int storageClass;
    final int locationClass;
    final Ownership ownership;

    /** Nodes that have these traits. */
    int users;

    Traits(int storageClass, int locationClass, Ownership ownership) {
        this.storageClass = storageClass;
        this.locationClass = locationClass;
        this.ownership = ownership;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Traits that
                && storageClass == that.storageClass
                && locationClass == that.locationClass
                && ownership.equals(that.ownership);
    }

    @Override
    public int hashCode() {
        return (ownership.hashCode() * 31 + storageClass) * 31 + locationClass;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.HashMap;
import java.util.Map;
import org.apache.crail.metadata.Ownership;

/**
 * All distinct {@link Traits}. Those without users are forgotten, so the table is no larger than the tree. Not thread
 * safe; needs the namespace's write lock.
 */
final class TraitsTable {
    private final Map<Traits, Traits> distinct = new HashMap<>();
    private long users;

    /** The traits with these values, for one more node. */
    Traits acquire(int storageClass, int locationClass, Ownership ownership) {
        Traits wanted = new Traits(storageClass, locationClass, ownership);
        Traits known = distinct.putIfAbsent(wanted, wanted);
        Traits traits = known == null ? wanted : known;
        traits.users++;
        users++;
        return traits;
    }

    /** Gives up what {@link #acquire} gave, for one node. */
    void release(Traits traits) {
        users--;
        if (--traits.users == 0) {
            distinct.remove(traits);
        }
    }

    /** How many distinct ones there are. */
    int size() {
        return distinct.size();
    }

    /** Nodes that have traits of this table. */
    long users() {
        return users;
    }
}

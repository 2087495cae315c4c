/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.HashMap;
import java.util.Map;
import org.apache.crail.metadata.Ownership;

/**
 * All distinct {@link Attributes}. Those without users are forgotten, so the table is no larger than the tree. Not
 * thread safe; needs the namespace's write lock.
 */
final class AttributeTable {
    private final Map<Attributes, Attributes> distinct = new HashMap<>();
    private long users;

    /** The attributes with these values, for one more node. */
    Attributes acquire(int storageClass, int locationClass, long timeToLiveMs, Ownership ownership) {
        Attributes wanted = new Attributes(storageClass, locationClass, timeToLiveMs, ownership);
        Attributes known = distinct.putIfAbsent(wanted, wanted);
        Attributes attributes = known == null ? wanted : known;
        attributes.users++;
        users++;
        return attributes;
    }

    /** Gives up what {@link #acquire} gave, for one node. */
    void release(Attributes attributes) {
        users--;
        if (--attributes.users == 0) {
            distinct.remove(attributes);
        }
    }

    /** How many distinct ones there are. */
    int size() {
        return distinct.size();
    }

    /** Nodes that have attributes of this table. */
    long users() {
        return users;
    }
}

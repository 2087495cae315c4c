/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Datanodes that can stand in for each other. Not thread safe; guarded by the namespace's lock. */
final class DatanodeRing {
    private final List<Datanode> members = new ArrayList<>();
    private int last = -1;

    void add(Datanode datanode) {
        members.add(datanode);
    }

    void remove(Datanode datanode) {
        members.remove(datanode);
        last = -1;
    }

    /** The next live datanode that {@code has} what is wanted, or null. */
    Datanode next(Predicate<Datanode> has, BlockSelection selection, long nowNs, long timeoutNs) {
        int size = members.size();
        if (size == 0) {
            return null;
        }
        int position = selection.begin(last, size);
        for (int tried = 0; tried < size; tried++) {
            Datanode candidate = members.get(position);
            if (has.test(candidate) && candidate.isLive(nowNs, timeoutNs)) {
                last = position;
                return candidate;
            }
            position = position + 1 < size ? position + 1 : 0;
        }
        return null;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Times of access, of those nodes for which somebody has set one: few, so that they cost the others nothing. Reading is
 * thread safe, also beside a change; changes need the namespace's write lock.
 */
final class AccessTimes {
    private final Map<Long, Long> byFd = new ConcurrentHashMap<>();

    /** What was set, else the time of the last change. */
    long of(Node node) {
        Long set = byFd.isEmpty() ? null : byFd.get(node.fd);
        return set == null ? node.modifiedMs : set;
    }

    void set(Node node, long timeMs) {
        byFd.put(node.fd, timeMs);
    }

    void forget(Node node) {
        if (!byFd.isEmpty()) {
            byFd.remove(node.fd);
        }
    }

    /** For how many nodes a time is kept. */
    int size() {
        return byFd.size();
    }
}

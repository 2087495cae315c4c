/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import java.util.ArrayDeque;

/**
 * The requests of a client that are to be answered, each by one message, in their order; where a namenode ignores a
 * request that was sent twice, those behind it are taken for answered one too early. Those that somebody may wait for
 * are told from the unhurried ones. Confined to one thread at a time, but for the counts.
 */
final class Unanswered {
    private final ArrayDeque<Boolean> hurried = new ArrayDeque<>();
    private int waitedFor; // the hurried ones
    private volatile int count; // as others see it
    private volatile int hurriedCount;

    /** How many there are. */
    int count() {
        return count;
    }

    /** How many of them somebody may wait for. */
    int hurriedCount() {
        return hurriedCount;
    }

    /** Takes a request; answers how many more there are that somebody may wait for: one, or none. */
    int sent(boolean isHurried) {
        int more = isHurried ? 1 : 0;
        hurried.add(isHurried);
        count = hurried.size();
        waitedFor += more;
        hurriedCount = waitedFor;
        return more;
    }

    /** Takes answers; answers how many fewer requests there are that somebody may wait for. */
    int answered(int answers) {
        int fewer = 0;
        for (int i = 0; i < answers && !hurried.isEmpty(); i++) {
            fewer += hurried.remove() ? 1 : 0;
        }
        count = hurried.size();
        waitedFor -= fewer;
        hurriedCount = waitedFor;
        return fewer;
    }

    /** Takes all as answered; answers how many of them somebody may have waited for. */
    int end() {
        return answered(hurried.size());
    }
}

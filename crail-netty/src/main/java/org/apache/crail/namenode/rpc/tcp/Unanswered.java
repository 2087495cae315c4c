/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import java.util.ArrayDeque;

/**
 * The requests of a client that are to be answered, each by one message, in their order; where a namenode ignores a request that
 * was sent twice, those behind it are taken for answered one too early. Those that somebody may wait for are told from the
 * unhurried ones. Confined to who turns the channel's loop.
 */
final class Unanswered {
    private final ArrayDeque<Boolean> hurried = new ArrayDeque<>();

    /** Takes a request; answers how many more there are that somebody may wait for: one, or none. */
    int sent(boolean isHurried) {
        hurried.add(isHurried);
        return isHurried ? 1 : 0;
    }

    /** Takes answers; answers how many fewer requests there are that somebody may wait for. */
    int answered(int count) {
        int fewer = 0;
        for (int i = 0; i < count && !hurried.isEmpty(); i++) {
            fewer += hurried.remove() ? 1 : 0;
        }
        return fewer;
    }

    /** Takes all as answered; answers how many of them somebody may have waited for. */
    int end() {
        return answered(hurried.size());
    }
}

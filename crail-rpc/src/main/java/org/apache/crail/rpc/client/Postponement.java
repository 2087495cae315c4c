/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import org.apache.crail.error.CrailException;

/**
 * A call that the namenode wants to be asked again.
 *
 * @param reason what the namenode has said last
 * @param pauseNs how long the call waits from that answer on
 * @param untilNs when the pause is over
 */
record Postponement(CrailException reason, long pauseNs, long untilNs) {
    private static final long FIRST_PAUSE_NS = 1_000_000;

    /**
     * What a call is postponed by first, or again, then for twice as long as before, but not longer than {@code
     * mostNs}.
     */
    static Postponement after(Postponement before, CrailException reason, long nowNs, long mostNs) {
        long pauseNs = before == null ? FIRST_PAUSE_NS : Math.min(2 * before.pauseNs, Math.max(FIRST_PAUSE_NS, mostNs));
        return new Postponement(reason, pauseNs, nowNs + pauseNs);
    }
}

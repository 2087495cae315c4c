/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.util.concurrent.Executor;
import org.apache.crail.internal.SharedTimer;

/**
 * Tells a target now and then that somebody is there, until the session ends. A keep-alive that is not answered before the
 * next but one is due ends the session. Thread safe.
 */
final class KeepAlive {
    private final SectorSession session;
    private final long periodMs;
    private final Executor blocking;
    private volatile boolean underWay;
    private int missed;

    KeepAlive(SectorSession session, long periodMs, Executor blocking) {
        this.session = session;
        this.periodMs = periodMs;
        this.blocking = blocking;
    }

    void start() {
        SharedTimer.after(periodMs, this::tick);
    }

    private void tick() {
        if (session.hasEnded()) {
            return;
        }
        if (!underWay) {
            missed = 0;
            underWay = true;
            blocking.execute(this::send);
        } else if (++missed > 1) {
            blocking.execute(session::missKeepAlive);
            return;
        }
        start();
    }

    private void send() {
        session.keepAlive();
        underWay = false;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.apache.crail.internal.SharedTimer;

/**
 * Tells a target now and then that somebody is there, until the session ends. A keep-alive that is not answered before
 * the next but one is due ends the session. Thread safe.
 */
final class KeepAlive {
    private final SectorSession session;
    private final long periodMs;
    private final Executor blocking;
    private volatile Future<?> timer;
    private volatile boolean underWay;
    private int missed;

    KeepAlive(SectorSession session, long periodMs, Executor blocking) {
        this.session = session;
        this.periodMs = periodMs;
        this.blocking = blocking;
    }

    void start() {
        timer = SharedTimer.every(periodMs, this::tick);
    }

    private void tick() {
        if (session.hasEnded()) {
            timer.cancel(false);
        } else if (underWay) {
            if (++missed > 1) {
                blocking.execute(session::missKeepAlive);
            }
        } else {
            missed = 0;
            begin();
        }
    }

    private void begin() {
        boolean isBegun = false;
        underWay = true;
        try {
            blocking.execute(this::send);
            isBegun = true;
        } finally {
            if (!isBegun) { // no thread this time
                underWay = false;
            }
        }
    }

    private void send() {
        try {
            session.keepAlive();
        } finally {
            underWay = false;
        }
    }
}

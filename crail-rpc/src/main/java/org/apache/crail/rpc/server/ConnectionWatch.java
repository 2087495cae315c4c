/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.rpc.transport.RpcChannel;

/**
 * Closes a connection of no use: one that opens no session in time, and one on which nothing comes for long, as the
 * host at its other end may have vanished without a word. A client that is still there connects again with its next
 * call. Thread safe.
 */
final class ConnectionWatch {
    private final RpcChannel channel;
    private final BooleanSupplier hasSession;
    private final long idleLimitMs;
    private volatile boolean heard;

    /** Guarded by this. */
    private Future<?> timer;

    private boolean ended;

    /** Begins. */
    ConnectionWatch(RpcChannel channel, BooleanSupplier hasSession, long greetingLimitMs, long idleLimitMs) {
        this.channel = channel;
        this.hasSession = hasSession;
        this.idleLimitMs = idleLimitMs;
        synchronized (this) {
            timer = SharedTimer.after(greetingLimitMs, this::onGreetingLimit);
        }
    }

    /** A message came. */
    void heard() {
        if (!heard) { // seldom written, as all messages pass here
            heard = true;
        }
    }

    private void onGreetingLimit() {
        if (hasSession.getAsBoolean()) {
            watchOn();
        } else {
            channel.close();
        }
    }

    private synchronized void watchOn() {
        if (!ended) {
            timer = SharedTimer.every(idleLimitMs, this::closeIfIdle);
        }
    }

    /** Closes the connection if nothing came since the last call. */
    void closeIfIdle() {
        if (!heard) {
            channel.close();
        }
        heard = false;
    }

    /** The connection has ended. */
    synchronized void end() {
        ended = true;
        timer.cancel(false);
    }
}

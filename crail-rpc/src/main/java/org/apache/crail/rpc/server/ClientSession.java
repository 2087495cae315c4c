/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import java.util.function.Supplier;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;

/**
 * What the server keeps of a client across its connections, so that a retried operation is executed once. Thread safe: the
 * old and the new connection of a client may deliver copies of one request at the same time.
 */
final class ClientSession {
    private final ReplyMemory memory;
    private int connections;
    private long idleSinceNs;

    ClientSession(int windowSize) {
        this.memory = new ReplyMemory(windowSize);
    }

    /**
     * Executes a request whose operation is to be remembered, unless it has been executed.
     *
     * @return the reply to send, or null if the client has it already
     */
    synchronized ResponseFrame executeOnce(RequestFrame frame, Supplier<ResponseFrame> execution) {
        memory.forgetBelow(frame.oldestPending());
        if (memory.isForgotten(frame.requestId()) || memory.isBeyondWindow(frame.requestId())) {
            return null;
        }
        ResponseFrame known = memory.recall(frame.requestId());
        if (known != null) {
            return known;
        }
        ResponseFrame reply = execution.get();
        memory.remember(reply);
        return reply;
    }

    synchronized void connected() {
        connections++;
    }

    synchronized void disconnected(long nowNs) {
        connections--;
        idleSinceNs = nowNs;
    }

    synchronized boolean isIdleLongerThan(long limitNs, long nowNs) {
        return connections == 0 && nowNs - idleSinceNs > limitNs;
    }
}

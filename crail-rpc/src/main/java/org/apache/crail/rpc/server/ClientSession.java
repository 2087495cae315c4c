/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import java.util.UUID;
import java.util.function.Supplier;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NamenodeBusyException;
import org.apache.crail.error.SessionLostException;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;

/**
 * What the server keeps of a client across its connections, so that a retried operation is executed once. Thread safe:
 * the old and the new connection of a client may deliver copies of one request at the same time.
 */
final class ClientSession {
    private final UUID clientId;
    private final ReplyMemory memory;
    private final ReplyBudget budget;

    /** Both guarded by {@link Sessions}. */
    int connections;

    long idleSinceNs;

    private boolean isOver;

    ClientSession(UUID clientId, int windowSize, ReplyBudget budget) {
        this.clientId = clientId;
        this.memory = new ReplyMemory(windowSize);
        this.budget = budget;
        budget.take(ReplyBudget.SESSION_BYTES);
    }

    UUID clientId() {
        return clientId;
    }

    /**
     * Executes a request whose operation is to be remembered, unless it has been executed.
     *
     * @return the reply to send
     * @throws SessionLostException if another request had this id, or its answer is not kept; a client that has its
     *     answer does not hear that
     * @throws NamenodeBusyException if there is no memory for the answer; nothing has been done
     */
    synchronized ResponseFrame executeOnce(RequestFrame frame, Supplier<ResponseFrame> execution)
            throws CrailException {
        long id = frame.requestId();
        if (frame.oldestPending() < 1 || frame.oldestPending() > id) {
            throw new InvalidRequestException("request " + id + " names " + frame.oldestPending()
                    + " as the oldest that waits for an answer; that is from 1 to the request's own");
        }
        if (isOver) {
            throw lost(frame, "the session is over");
        }
        long before = memory.totalBytes();
        memory.forgetBelow(frame.oldestPending());
        budget.take(memory.totalBytes() - before);
        if (memory.isForgotten(id) || memory.isBeyondWindow(id)) {
            throw lost(frame, "its answer is not kept");
        }
        ResponseFrame known = memory.recall(id);
        if (known != null) {
            if (!memory.requestOf(id).request().equals(frame.request())) {
                throw lost(frame, "another request had its number");
            }
            return known;
        }
        return execute(frame, execution);
    }

    private ResponseFrame execute(RequestFrame frame, Supplier<ResponseFrame> execution) throws NamenodeBusyException {
        if (!budget.hasRoomFor(memory.totalBytes())) {
            throw new NamenodeBusyException("cannot execute " + frame.request().operation() + ": this client holds "
                    + memory.totalBytes() + " bytes of answers in flight, all clients " + budget.takenBytes()
                    + "; ask for less at a time, or raise crail.namenode.replymemory");
        }
        ResponseFrame reply = execution.get();
        long before = memory.totalBytes();
        memory.remember(frame, reply);
        budget.take(memory.totalBytes() - before);
        return reply;
    }

    private static SessionLostException lost(RequestFrame frame, String why) {
        return new SessionLostException(
                "request " + frame.requestId() + ", " + frame.request().operation() + ", cannot be answered: " + why
                        + "; the client has to open another session");
    }

    /** Gives back what is kept; what comes over connections that are still there is not executed. */
    synchronized void end() {
        if (!isOver) {
            isOver = true;
            budget.take(-memory.totalBytes() - ReplyBudget.SESSION_BYTES);
        }
    }
}

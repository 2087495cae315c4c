/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.RequestFrame;

/**
 * The calls of one client in the order of their ids: those in flight, at most as many as the server remembers, behind
 * them those that wait for a place, and those that the server has put off. A call leaves by being done and in no other
 * way, so that none can be lost: each either has its outcome or is still here when the next look for late calls comes.
 * Thread safe; every method is short and never blocks for long.
 */
final class CallWindow {
    /** So many pauses at least fit into the time that what a call waits for may take. */
    private static final int PAUSES = 16;

    private final PendingCall<?>[] inFlight;
    private final ArrayDeque<PendingCall<?>> waiting = new ArrayDeque<>();
    private final List<PendingCall<?>> postponed = new ArrayList<>();
    private long oldest = 1;
    private long next = 1;

    /** Makes an empty window for {@code size} calls, a power of two. */
    CallWindow(int size) {
        this.inFlight = new PendingCall<?>[size];
    }

    /** Takes a call; answers the frame to send now, or null if the call has to wait for a place. */
    synchronized RequestFrame add(PendingCall<?> call) {
        if (!waiting.isEmpty() || !hasPlace()) {
            waiting.add(call);
            return null;
        }
        return admit(call);
    }

    /** The call with this id; null if it is not in flight, or done. */
    synchronized PendingCall<?> find(long requestId) {
        if (requestId < oldest || requestId >= next) {
            return null;
        }
        PendingCall<?> call = inFlight[index(requestId)];
        return call == null || call.isDone() ? null : call;
    }

    /**
     * Puts the call off that was sent under this id, as its answer says that it is to be sent again. Does nothing if it
     * is not in flight under this id any more: the answer has come twice.
     *
     * @param extraNs how long what it waits for may take: so much later than so far the call has to end
     */
    synchronized void postpone(long requestId, CrailException reason, long nowNs, long extraNs) {
        PendingCall<?> call = find(requestId);
        if (call == null) {
            return;
        }
        inFlight[index(requestId)] = null;
        call.requestId = PendingCall.NO_ID;
        call.deadlineNs += call.postponement == null ? extraNs : 0;
        call.postponement = Postponement.after(call.postponement, reason, nowNs, extraNs / PAUSES);
        postponed.add(call);
    }

    /** Lets those that were put off long enough wait for a place again, but for those whose deadline has come. */
    synchronized void resumePostponed(long nowNs) {
        for (Iterator<PendingCall<?>> all = postponed.iterator(); all.hasNext(); ) {
            PendingCall<?> call = all.next();
            if (call.deadlineNs - nowNs > 0 && call.postponement.untilNs() - nowNs <= 0) {
                call.sentNs = nowNs;
                waiting.add(call);
                all.remove();
            }
        }
    }

    /** Why a call was put off that has not been sent again since; null if it is in flight, or was never put off. */
    synchronized CrailException postponement(PendingCall<?> call) {
        return call.requestId == PendingCall.NO_ID && call.postponement != null ? call.postponement.reason() : null;
    }

    /** Answers the frame of a waiting call for which there is a place now, or null. */
    synchronized RequestFrame admitWaiting() {
        while (!waiting.isEmpty() && waiting.peek().isDone()) {
            waiting.poll();
        }
        return waiting.isEmpty() || !hasPlace() ? null : admit(waiting.poll());
    }

    /** The frames of all calls in flight, in order, to send them again on another connection. */
    synchronized List<RequestFrame> framesInFlight() {
        forgetDone();
        List<RequestFrame> frames = new ArrayList<>();
        for (long id = oldest; id < next; id++) {
            PendingCall<?> call = inFlight[index(id)];
            if (call != null) {
                frames.add(frame(call));
            }
        }
        return frames;
    }

    /** The calls whose deadline has come by {@code nowNs}; they stay here until the caller has failed them. */
    synchronized List<PendingCall<?>> expired(long nowNs) {
        List<PendingCall<?>> expired = unfinished();
        expired.removeIf(call -> call.deadlineNs - nowNs > 0);
        return expired;
    }

    /** The calls that may have been sent until then and must not be executed twice. */
    synchronized List<PendingCall<?>> sentOnce(long untilNs) {
        List<PendingCall<?>> sent = unfinished();
        sent.removeIf(
                call -> call.requestId == PendingCall.NO_ID || !call.request.remembered() || call.sentNs - untilNs > 0);
        return sent;
    }

    /** All calls that are not done, in order. */
    synchronized List<PendingCall<?>> unfinished() {
        forgetDone();
        List<PendingCall<?>> unfinished = new ArrayList<>();
        for (long id = oldest; id < next; id++) {
            PendingCall<?> call = inFlight[index(id)];
            if (call != null) {
                unfinished.add(call);
            }
        }
        unfinished.addAll(waiting);
        unfinished.addAll(postponed);
        return unfinished;
    }

    synchronized boolean isEmpty() {
        forgetDone();
        return oldest == next && waiting.isEmpty() && postponed.isEmpty();
    }

    /** Lets go of all that is done, also behind a call that is not. */
    private void forgetDone() {
        for (long id = oldest; id < next; id++) {
            PendingCall<?> call = inFlight[index(id)];
            if (call != null && call.isDone()) {
                inFlight[index(id)] = null;
            }
        }
        advance();
        waiting.removeIf(PendingCall::isDone);
        postponed.removeIf(PendingCall::isDone);
    }

    private boolean hasPlace() {
        advance();
        return next - oldest < inFlight.length;
    }

    /** Goes past the oldest calls as far as they are done. */
    private void advance() {
        while (oldest < next) {
            int index = index(oldest);
            if (inFlight[index] != null && !inFlight[index].isDone()) {
                return;
            }
            inFlight[index] = null;
            oldest++;
        }
    }

    private RequestFrame admit(PendingCall<?> call) {
        call.requestId = next++;
        inFlight[index(call.requestId)] = call;
        return frame(call);
    }

    private RequestFrame frame(PendingCall<?> call) {
        return new RequestFrame(call.requestId, oldest, call.request);
    }

    private int index(long requestId) {
        return (int) requestId & (inFlight.length - 1);
    }
}

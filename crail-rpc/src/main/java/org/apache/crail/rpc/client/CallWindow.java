/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.crail.rpc.message.RequestFrame;

/**
 * The calls of one client in the order of their ids: those in flight, at most as many as the server remembers, and behind
 * them those that wait for a place. Thread safe; every method is short and never blocks for long.
 */
final class CallWindow {
    private final PendingCall<?>[] inFlight;
    private final ArrayDeque<PendingCall<?>> waiting = new ArrayDeque<>();
    private long oldest = 1;
    private long next = 1;

    /** Makes an empty window for {@code size} calls, a power of two. */
    CallWindow(int size) {
        this.inFlight = new PendingCall<?>[size];
    }

    /** Takes a call; answers the frame to send now, or null if the call has to wait for a place. */
    synchronized RequestFrame add(PendingCall<?> call) {
        if (!waiting.isEmpty() || next - oldest >= inFlight.length) {
            waiting.add(call);
            return null;
        }
        return admit(call);
    }

    /** Takes the call with this id out; answers null if it is not in flight any more. */
    synchronized PendingCall<?> remove(long requestId) {
        if (requestId < oldest || requestId >= next) {
            return null;
        }
        int index = index(requestId);
        PendingCall<?> call = inFlight[index];
        inFlight[index] = null;
        while (oldest < next && inFlight[index(oldest)] == null) {
            oldest++;
        }
        return call;
    }

    /** Answers the frame of a waiting call for which there is a place now, or null. */
    synchronized RequestFrame admitWaiting() {
        if (waiting.isEmpty() || next - oldest >= inFlight.length) {
            return null;
        }
        return admit(waiting.poll());
    }

    /** The frames of all calls in flight, in order, to send them again on another connection. */
    synchronized List<RequestFrame> framesInFlight() {
        List<RequestFrame> frames = new ArrayList<>();
        for (long id = oldest; id < next; id++) {
            PendingCall<?> call = inFlight[index(id)];
            if (call != null) {
                frames.add(frame(call));
            }
        }
        return frames;
    }

    /** Takes out the calls whose deadline is before {@code nowNs}; the caller fails them. */
    synchronized List<PendingCall<?>> removeExpired(long nowNs) {
        List<PendingCall<?>> expired = new ArrayList<>();
        for (long id = oldest; id < next; id++) {
            PendingCall<?> call = inFlight[index(id)];
            if (call != null && call.deadlineNs - nowNs <= 0) {
                expired.add(call);
            }
        }
        for (PendingCall<?> call : expired) {
            remove(call.requestId);
        }
        for (Iterator<PendingCall<?>> it = waiting.iterator(); it.hasNext(); ) {
            PendingCall<?> call = it.next();
            if (call.deadlineNs - nowNs <= 0) {
                it.remove();
                expired.add(call);
            }
        }
        return expired;
    }

    /** Takes out all calls; the caller fails them. */
    synchronized List<PendingCall<?>> removeAll() {
        List<PendingCall<?>> all = new ArrayList<>(waiting);
        waiting.clear();
        for (long id = oldest; id < next; id++) {
            PendingCall<?> call = inFlight[index(id)];
            if (call != null) {
                all.add(call);
                inFlight[index(id)] = null;
            }
        }
        oldest = next;
        return all;
    }

    synchronized boolean isEmpty() {
        return oldest == next && waiting.isEmpty();
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

/**
 * One of the calls that a client may have in flight. Its ticket differs from use to use, so that an answer that comes
 * twice is noticed. Begun by whoever sends; ended by the completion loop, which alone calls the other methods.
 */
final class CallSlot {
    private static final int INDEX_BITS = 14;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

    private volatile int ticket;
    private boolean answered;
    private boolean sent;

    CallSlot(int index) {
        this.ticket = index;
    }

    /** The index of the slot that a ticket belongs to. */
    static int indexOf(int ticket) {
        return ticket & INDEX_MASK;
    }

    /** Begins a call; answers its ticket, which is never negative. */
    int begin() {
        int next = (ticket + (1 << INDEX_BITS)) & Integer.MAX_VALUE;
        ticket = next;
        return next;
    }

    /** Notes that the answer arrived; false if it is not the answer to the call of this slot. */
    boolean answer(int answeredTicket) {
        boolean expected = answeredTicket == ticket && !answered;
        answered = expected;
        return expected;
    }

    /** Notes that the request has left. */
    void sent() {
        sent = true;
    }

    /** Ends the call if its request has left and its answer has arrived; the slot can then begin another. */
    boolean endIfDone() {
        if (!sent || !answered) {
            return false;
        }
        sent = false;
        answered = false;
        return true;
    }
}

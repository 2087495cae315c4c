/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.rpc.message.HelloRequest;

/**
 * Bounds the calls for values that are in flight, and the bytes that they hold in memory. Whoever finds no room lines
 * up, and nobody overtakes: first calls in flight that have learnt how long their values are, then further calls. A
 * single value finds room however long it is. When the bound has been reached, further calls begin when half of it is
 * free, so that they come many at a time. Thread safe; what waits begins in a thread that gives room back.
 */
final class CallBound {
    /** As many as a connection has requests in flight; a further one would only wait, and its time run. */
    static final int MOST_CALLS = HelloRequest.WINDOW_SIZE;

    static final long MOST_BYTES = 64L << 20;

    private final int mostCalls;
    private final long mostBytes;
    private final Deque<Waiter> callers = new ArrayDeque<>();
    private final Deque<Waiter> holders = new ArrayDeque<>();
    private int calls;
    private long bytes;

    /** Whether callers wait until half of the bound is free. */
    private boolean isFull;

    /** Whether a thread gives out room; the others leave that to it, as a waiter that begins may end at once. */
    private boolean isGranting;

    CallBound() {
        this(MOST_CALLS, MOST_BYTES);
    }

    CallBound(int mostCalls, long mostBytes) {
        this.mostCalls = mostCalls;
        this.mostBytes = mostBytes;
    }

    /** Completes when the room has been taken. */
    private static final class Waiter extends CompletableFuture<Void> {
        private final long size;

        Waiter(long size) {
            this.size = size;
        }
    }

    /** Takes room for a call, with bytes that it holds; completes when there is room. */
    synchronized CompletableFuture<Void> enter(long size) {
        isFull |= calls >= mostCalls || !holders.isEmpty() || !fits(size);
        if (isFull || !callers.isEmpty()) {
            return lineUp(callers, size);
        }
        calls++;
        bytes += size;
        return CoreStream.READY;
    }

    /** Takes room for bytes of a call that has got in, and holds none; completes when there is room. */
    synchronized CompletableFuture<Void> hold(long size) {
        if (!holders.isEmpty() || !fits(size)) {
            return lineUp(holders, size);
        }
        bytes += size;
        return CoreStream.READY;
    }

    private static CompletableFuture<Void> lineUp(Deque<Waiter> line, long size) {
        Waiter waiter = new Waiter(size);
        line.add(waiter);
        return waiter;
    }

    private boolean fits(long size) {
        return bytes == 0 || bytes + size <= mostBytes;
    }

    /** Gives the room of a call back. */
    void leave(long size) {
        giveBack(1, size);
    }

    /** Gives bytes of a call back that goes on. */
    void release(long size) {
        giveBack(0, size);
    }

    private void giveBack(int count, long size) {
        synchronized (this) {
            calls -= count;
            bytes -= size;
            if (isGranting || (holders.isEmpty() && callers.isEmpty())) {
                return;
            }
            isGranting = true;
        }
        for (Waiter next = next(); next != null; next = next()) {
            next.complete(null);
        }
    }

    /** Takes room for whoever is next; null if there is nobody, or no room. */
    private synchronized Waiter next() {
        Waiter next = holders.isEmpty() ? nextCaller() : nextHolder();
        isGranting = next != null;
        return next;
    }

    private Waiter nextHolder() {
        if (!fits(holders.peek().size)) {
            return null;
        }
        Waiter next = holders.poll();
        bytes += next.size;
        return next;
    }

    private Waiter nextCaller() {
        isFull &= calls > mostCalls / 2 || bytes > mostBytes / 2;
        if (isFull || callers.isEmpty()) {
            return null;
        }
        if (calls >= mostCalls || !fits(callers.peek().size)) {
            isFull = true;
            return null;
        }
        Waiter next = callers.poll();
        calls++;
        bytes += next.size;
        return next;
    }

    /** How many wait for room. */
    synchronized int waiting() {
        return holders.size() + callers.size();
    }

    /** How many calls are in flight. */
    synchronized int calls() {
        return calls;
    }

    /** How many bytes they hold. */
    synchronized long bytes() {
        return bytes;
    }
}

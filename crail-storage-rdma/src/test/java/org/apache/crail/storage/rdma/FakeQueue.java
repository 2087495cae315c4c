/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.error.CrailException;

/** A device that does what a test tells it. Thread safe. */
final class FakeQueue implements WorkQueue {
    private static final int NOT_AT_POST = -1;

    final List<RdmaTransfer> posted = new ArrayList<>();
    private final List<Integer> slots = new ArrayList<>();
    private final ArrayDeque<int[]> completed = new ArrayDeque<>();
    private int[][] polled = {};
    private final FakeEvents events;
    private boolean armed;
    private int statusAtPost = NOT_AT_POST;
    boolean destroyed;
    boolean released;
    boolean disconnected;
    int arms;
    int polls;
    IOException postFailure;
    CrailException keyFailure;
    Runnable beforeKey = () -> {};

    FakeQueue(FakeEvents events) {
        this.events = events;
    }

    /** Completes the transfer that was posted as number {@code index}. */
    synchronized void complete(int index, int status) {
        completed.add(new int[] {slots.get(index), status});
        events.complete(armed);
        armed = false;
    }

    /** Completes all transfers from now on before it is known that they have been posted. */
    synchronized void completeAtPost(int status) {
        statusAtPost = status;
    }

    synchronized void completeLater() {
        statusAtPost = NOT_AT_POST;
    }

    synchronized int postedCount() {
        return posted.size();
    }

    @Override
    public synchronized int localKey(RdmaTransfer transfer) throws CrailException {
        beforeKey.run();
        if (keyFailure != null) {
            throw keyFailure;
        }
        return 1;
    }

    @Override
    public synchronized void post(int slot, RdmaTransfer transfer, int localKey) throws IOException {
        if (destroyed) {
            throw new AssertionError("posted to a queue pair that has been destroyed");
        }
        if (postFailure != null) {
            throw postFailure;
        }
        posted.add(transfer);
        slots.add(slot);
        if (statusAtPost != NOT_AT_POST) {
            complete(slots.size() - 1, statusAtPost);
        }
    }

    @Override
    public synchronized int poll() {
        polls++;
        polled = completed.toArray(new int[0][]);
        events.take(completed.size());
        completed.clear();
        return polled.length;
    }

    @Override
    public int slot(int index) {
        return polled[index][0];
    }

    @Override
    public int status(int index) {
        return polled[index][1];
    }

    @Override
    public synchronized void arm() {
        arms++;
        armed = true;
    }

    @Override
    public synchronized boolean isDisconnected() {
        return disconnected;
    }

    @Override
    public synchronized void destroy() {
        destroyed = true;
    }

    @Override
    public synchronized void release() {
        released = true;
    }

    synchronized boolean isReleased() {
        return released;
    }

    synchronized int armCount() {
        return arms;
    }

    synchronized int pollCount() {
        return polls;
    }
}

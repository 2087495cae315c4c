/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.CrailException;
import org.apache.crail.storage.direct.CompletionLoop;

/** A device that does what a test tells it. Thread safe. */
final class FakeQueue implements WorkQueue, CompletionLoop.EventSource {
    final List<RdmaTransfer> posted = new ArrayList<>();
    private final List<Integer> slots = new ArrayList<>();
    private final ArrayDeque<int[]> completed = new ArrayDeque<>();
    private int[][] polled = {};
    private boolean armed;
    private boolean event;
    boolean destroyed;
    boolean released;
    boolean disconnected;
    int arms;
    int polls;
    IOException postFailure;
    CrailException keyFailure;
    Runnable beforeKey = () -> {};

    /** Completes the transfer that was posted as number {@code index}. */
    synchronized void complete(int index, int status) {
        completed.add(new int[] {slots.get(index), status});
        if (armed) {
            armed = false;
            event = true;
            notifyAll();
        }
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
    }

    @Override
    public synchronized int poll() {
        polls++;
        polled = completed.toArray(new int[0][]);
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
    public synchronized void await(int timeoutMs) {
        try {
            long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
            for (long leftMs = timeoutMs; !event && leftMs > 0; ) {
                wait(leftMs);
                leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            }
            event = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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

    synchronized int pollCount() {
        return polls;
    }
}

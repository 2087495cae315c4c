/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.crail.error.CrailException;
import org.apache.crail.storage.direct.CompletionLoop;
import org.apache.crail.storage.direct.DirectSession;

/**
 * The transfers of one connection, from its making to its end. What fits the send queue is posted by its caller, the rest waits
 * in order and is posted as room is made. Whatever ends it, the queue pair is destroyed before a transfer fails. Thread
 * safe; {@link #poll}, {@link #arm} and {@link #release} are for the completion thread.
 */
final class LinkSession implements DirectSession<RdmaTransfer>, CompletionLoop.Source {
    private final ReentrantLock lock = new ReentrantLock();
    private final WorkQueue queue;
    private final CompletionLoop loop;
    private final RdmaCounters counters;
    private final Listener listener;
    private final RdmaTransfer[] slots;
    private final RdmaTransfer[] finished;
    private final int[] freeSlots;
    private final ArrayDeque<RdmaTransfer> waiting = new ArrayDeque<>();
    private int free;
    private int credits;
    private volatile int inFlight;
    private volatile boolean ended;
    private volatile long lastUseNs = System.nanoTime();

    /**
     * Takes over a connected queue.
     *
     * @param size work requests that it holds
     */
    LinkSession(WorkQueue queue, int size, CompletionLoop loop, RdmaCounters counters, Listener listener) {
        this.queue = queue;
        this.loop = loop;
        this.counters = counters;
        this.listener = listener;
        this.slots = new RdmaTransfer[size];
        this.finished = new RdmaTransfer[size];
        this.freeSlots = new int[size];
        for (int i = 0; i < size; i++) {
            freeSlots[i] = i;
        }
        this.free = size;
        this.credits = size;
    }

    @Override
    public boolean submit(RdmaTransfer transfer) {
        if (ended) {
            return false;
        }
        int localKey;
        try {
            localKey = queue.localKey(transfer);
        } catch (CrailException e) {
            if (ended) { // with its device, which registers nothing any more
                return false;
            }
            transfer.fail(e);
            return true;
        }
        transfer.localKey = localKey;
        CrailException failure;
        lock.lock();
        try {
            if (ended) {
                return false;
            }
            lastUseNs = System.nanoTime();
            waiting.add(transfer);
            failure = postWaiting();
        } finally {
            lock.unlock();
        }
        if (failure != null) {
            end(failure);
        } else {
            loop.wakeUp();
        }
        return true;
    }

    /** Posts what fits; answers why that failed, or null. */
    private CrailException postWaiting() {
        RdmaTransfer next = waiting.peek();
        while (next != null && next.workRequests() <= credits) {
            int slot = freeSlots[--free];
            slots[slot] = waiting.remove();
            credits -= next.workRequests();
            setInFlight(inFlight + 1);
            try {
                queue.post(slot, next, next.localKey);
            } catch (IOException e) {
                return listener.unreachable("the device took no work request (" + e.getMessage() + ")", e);
            }
            counters.countWorkRequests(next.workRequests());
            next = waiting.peek();
        }
        return null;
    }

    private void setInFlight(int count) {
        loop.count(count - inFlight);
        inFlight = count;
    }

    @Override
    public int poll() {
        if (inFlight == 0 || ended) {
            return 0;
        }
        try {
            int count = queue.poll();
            if (count > 0) {
                counters.countCompletions(count);
                take(count);
            }
            return count;
        } catch (IOException e) {
            end(listener.unreachable("its completions cannot be had (" + e.getMessage() + ")", e));
            return 0;
        }
    }

    private void take(int count) {
        int done = 0;
        RdmaTransfer culprit = null;
        int status = WorkStatus.SUCCESS;
        CrailException failure = null;
        lock.lock();
        try {
            for (int i = 0; i < count && !ended && culprit == null; i++) {
                status = queue.status(i);
                RdmaTransfer transfer = freeSlot(queue.slot(i));
                if (status == WorkStatus.SUCCESS) {
                    finished[done++] = transfer;
                } else {
                    culprit = transfer;
                }
            }
            if (culprit == null && !ended) {
                failure = postWaiting();
            }
        } finally {
            lock.unlock();
        }
        if (culprit != null) {
            endBy(culprit, status);
        } else if (failure != null) {
            end(failure);
        }
        for (int i = 0; i < done; i++) {
            RdmaTransfer transfer = finished[i];
            finished[i] = null;
            transfer.succeed();
        }
    }

    private RdmaTransfer freeSlot(int slot) {
        RdmaTransfer transfer = slots[slot];
        slots[slot] = null;
        freeSlots[free++] = slot;
        credits += transfer.workRequests();
        setInFlight(inFlight - 1);
        return transfer;
    }

    private void endBy(RdmaTransfer culprit, int status) {
        String what = WorkStatus.explain(status);
        end(listener.unreachable(
                "a transfer ended with " + WorkStatus.name(status) + "; the connection was closed", null));
        culprit.fail(WorkStatus.code(status).exception(what + "; ask the namenode for the location again"));
    }

    /**
     * Answers the transfers that are late and that the device does not touch any more: those that wait are taken out; if one
     * has been posted, the connection is ended and the others fail.
     */
    @Override
    public List<RdmaTransfer> takeLate(long nowNs) {
        List<RdmaTransfer> late = new ArrayList<>();
        lock.lock();
        try {
            takeLateWaiting(nowNs, late);
            if (ended || !hasLatePosted(nowNs)) {
                return late;
            }
        } finally {
            lock.unlock();
        }
        end(listener.endedByLate(), late, nowNs);
        return late;
    }

    private void takeLateWaiting(long nowNs, List<RdmaTransfer> late) {
        while (!waiting.isEmpty() && waiting.peek().isLate(nowNs)) { // the first to come is the first to be late
            late.add(waiting.remove());
        }
    }

    private boolean hasLatePosted(long nowNs) {
        for (RdmaTransfer transfer : slots) {
            if (transfer != null && transfer.isLate(nowNs)) {
                return true;
            }
        }
        return false;
    }

    /** Ends the connection if the datanode has done so, or its device is gone. */
    @Override
    public void endIfDisconnected() {
        boolean disconnected;
        lock.lock();
        try {
            disconnected = !ended && queue.isDisconnected();
        } finally {
            lock.unlock();
        }
        if (disconnected) {
            end(listener.unreachable("it closed the connection, or the device is gone", null));
        }
    }

    /** Destroys the queue pair, then fails all transfers. */
    @Override
    public void end(CrailException reason) {
        end(reason, null, 0);
    }

    private void end(CrailException reason, List<RdmaTransfer> late, long nowNs) {
        List<RdmaTransfer> failed = new ArrayList<>();
        lock.lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            queue.destroy();
            for (RdmaTransfer transfer : slots) {
                if (transfer != null) {
                    failed.add(transfer);
                }
            }
            failed.addAll(waiting);
            waiting.clear();
            setInFlight(0);
        } finally {
            lock.unlock();
        }
        loop.bury();
        listener.onEnd(this, reason);
        for (RdmaTransfer transfer : failed) {
            if (late != null && transfer.isLate(nowNs)) {
                late.add(transfer);
            } else {
                transfer.fail(reason);
            }
        }
    }

    @Override
    public boolean isIdleSince(long beforeNs) {
        return inFlight == 0 && lastUseNs - beforeNs < 0;
    }

    @Override
    public boolean isBusy() {
        return inFlight > 0;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public void arm() {
        try {
            queue.arm();
        } catch (IOException e) {
            end(listener.unreachable("its completions cannot be waited for (" + e.getMessage() + ")", e));
        }
    }

    @Override
    public void release() {
        queue.release();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.crail.error.CrailException;
import org.apache.crail.local.block.LocalOffer;
import org.apache.crail.storage.device.DeviceLoop;
import org.apache.crail.storage.device.DirectSession;

/**
 * The transfers of one connection, from its making to its end. What fits the send queue is posted by its caller, the
 * rest waits in order and is posted as room is made. A caller whose transfer is alone looks once whether it has
 * completed: no thread has to be woken then. It completes no other, whose continuations might want what the caller
 * holds, unless the connection breaks. Whatever ends the session, the queue pair is destroyed before a transfer fails.
 * Thread safe; {@link #poll} and {@link #release} are for the completion thread.
 */
final class LinkSession implements DirectSession<RdmaTransfer>, DeviceLoop.Source {
    private final ReentrantLock lock = new ReentrantLock();
    private final WorkQueue queue;
    private final DeviceLoop loop;
    private final RdmaCounters counters;
    private final Listener listener;
    private final RdmaTransfer[] slots;
    private final RdmaTransfer[] taken; // for the completion thread
    private final RdmaTransfer[] alone = new RdmaTransfer[1]; // for a caller with the lock
    private final int[] freeSlots;
    private final ArrayDeque<RdmaTransfer> waiting = new ArrayDeque<>();
    private int free;
    private int credits;
    private boolean armed; // until a completion is taken: that one has made the event
    private volatile int inFlight;
    private volatile CrailException broken; // why the session is to be ended
    private volatile boolean ended;
    private volatile LocalOffer localMemory;
    private volatile long lastUseNs = System.nanoTime();

    /**
     * Takes over a connected queue.
     *
     * @param size work requests that it holds
     */
    LinkSession(WorkQueue queue, int size, DeviceLoop loop, RdmaCounters counters, Listener listener) {
        this.queue = queue;
        this.loop = loop;
        this.counters = counters;
        this.listener = listener;
        this.slots = new RdmaTransfer[size];
        this.taken = new RdmaTransfer[size];
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
        boolean isDone;
        lock.lock();
        try {
            if (ended) {
                return false;
            }
            lastUseNs = System.nanoTime();
            boolean isAlone = inFlight == 0;
            waiting.add(transfer);
            if (loop.isAwaitingEvents()) {
                armQueue();
            }
            postWaiting();
            isDone = isAlone && take(alone) > 0;
            alone[0] = null;
        } finally {
            lock.unlock();
        }
        endIfBroken();
        if (isDone) {
            transfer.finish();
        } else {
            loop.wakeUp();
        }
        return true;
    }

    /** Posts what fits, with the lock held. */
    private void postWaiting() {
        RdmaTransfer next = waiting.peek();
        while (next != null && next.workRequests() <= credits && broken == null) {
            int slot = freeSlots[--free];
            slots[slot] = waiting.remove();
            credits -= next.workRequests();
            setInFlight(inFlight + 1);
            try {
                queue.post(slot, next, next.localKey);
                counters.countWorkRequests(next.workRequests());
            } catch (IOException e) {
                broken = listener.unreachable("the device took no work request (" + e.getMessage() + ")", e);
            }
            next = waiting.peek();
        }
    }

    private void setInFlight(int count) {
        loop.count(count - inFlight);
        inFlight = count;
    }

    @Override
    public int poll() {
        if (inFlight == 0 || ended || !lockToPoll()) {
            return 0;
        }
        int count;
        try {
            count = take(taken);
            if (count > 0) {
                postWaiting();
            }
        } finally {
            lock.unlock();
        }
        endIfBroken();
        for (int i = 0; i < count; i++) {
            RdmaTransfer transfer = taken[i];
            taken[i] = null;
            transfer.finish();
        }
        return count;
    }

    /** Leaves callers alone that post, unless the thread is about to wait: then nothing may be overlooked. */
    private boolean lockToPoll() {
        if (!lock.tryLock()) {
            if (!loop.isAwaitingEvents()) {
                return false;
            }
            lock.lock();
        }
        return true;
    }

    /**
     * Takes completed transfers out of the queue, with the lock held; answers how many. One that failed is the last.
     */
    private int take(RdmaTransfer[] into) {
        if (inFlight == 0 || broken != null) {
            return 0;
        }
        int completions;
        try {
            completions = queue.poll();
        } catch (IOException e) {
            broken = listener.unreachable("its completions cannot be had (" + e.getMessage() + ")", e);
            return 0;
        }
        int count = 0;
        while (count < completions && broken == null) {
            RdmaTransfer transfer = freeSlot(queue.slot(count));
            transfer.status = queue.status(count);
            if (transfer.status != WorkStatus.SUCCESS) {
                broken = listener.unreachable(
                        "a transfer ended with " + WorkStatus.name(transfer.status) + "; the connection was closed",
                        null);
            }
            into[count++] = transfer;
        }
        if (count > 0) {
            armed = false;
            counters.countCompletions(completions);
        }
        return count;
    }

    private RdmaTransfer freeSlot(int slot) {
        RdmaTransfer transfer = slots[slot];
        slots[slot] = null;
        freeSlots[free++] = slot;
        credits += transfer.workRequests();
        setInFlight(inFlight - 1);
        return transfer;
    }

    private void endIfBroken() {
        if (broken != null) {
            end(broken);
        }
    }

    /**
     * Answers the transfers that are late and that the device does not touch any more: those that wait are taken out;
     * if one has been posted, the connection is ended and the others fail.
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
    public LocalOffer localMemory() {
        return localMemory;
    }

    /** Says that the datanode's memory is on this host; before others know the session. */
    void useMemory(LocalOffer offer) {
        localMemory = offer;
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
        lock.lock();
        try {
            armQueue();
        } finally {
            lock.unlock();
        }
        endIfBroken();
    }

    private void armQueue() {
        if (armed || broken != null || ended) {
            return;
        }
        try {
            queue.arm();
            armed = true;
        } catch (IOException e) {
            broken = listener.unreachable("its completions cannot be waited for (" + e.getMessage() + ")", e);
        }
    }

    @Override
    public void release() {
        queue.release();
    }
}

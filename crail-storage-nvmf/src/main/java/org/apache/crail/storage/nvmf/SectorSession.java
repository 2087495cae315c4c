/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.storage.device.DeviceLoop;
import org.apache.crail.storage.device.DirectSession;
import org.apache.crail.storage.device.TransferLimits;

/**
 * The transfers of one connection to a target, from its making to its end. What fits the queue is posted by its caller,
 * the rest waits in order and is posted as room is made. Completions are taken by one of the callers that wait for
 * transfers, which leaves the transfers of other threads to the loop, or by the loop if there is no such caller.
 * Whatever ends the session, the queue is destroyed before a transfer fails that the device has a part of; that may
 * take a while, and has another thread. Writes that the target has by then may still be executed; who is told of its
 * end is told when not any more. Thread safe.
 */
final class SectorSession implements DirectSession<NvmfTransfer>, DeviceLoop.Source {
    private final ReentrantLock lock = new ReentrantLock();
    private final SectorDevice device;
    private final DeviceLoop loop;
    private final TransferLimits limits;
    private final long settleMs;
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private final Consumer<CompletableFuture<Void>> onEnding;
    private final Executor threads;
    private final NvmfCounters counters;
    private final Listener listener;
    private final ByteTransfers transfers;
    private final ConcurrentLinkedQueue<NvmfTransfer> left = new ConcurrentLinkedQueue<>();
    private final CallersTurn turn = new CallersTurn();
    private final CallersTrust trust = new CallersTrust();
    private final BooleanSupplier goesOn = this::isToBeTaken; // made once: to make one may take long
    private final IntSupplier takeAsCaller = this::takeAsCaller;
    private final SectorCommand[] slots;
    private final int[] freeSlots;
    private int free;
    private volatile int inFlight;
    private volatile boolean busy;
    private volatile boolean ended;
    private volatile long lastUseNs = System.nanoTime();

    /**
     * Takes over a connected device.
     *
     * @param onEnding told once, before anybody can see that the session has ended, what completes some time after,
     *     when the target executes none of its writes any more; called with the session's lock held
     * @param threads runs what can take its time; may refuse, as when there is no thread
     */
    SectorSession(
            SectorDevice device,
            NvmfClientSettings settings,
            DeviceLoop loop,
            NvmfCounters counters,
            Listener listener,
            Consumer<CompletableFuture<Void>> onEnding,
            Executor threads)
            throws CrailException {
        this.device = device;
        this.loop = loop;
        this.limits = settings.limits();
        this.settleMs = settings.settleMs();
        this.counters = counters;
        this.listener = listener;
        this.onEnding = onEnding;
        this.threads = threads;
        this.transfers = new ByteTransfers(device, settings.stagedSectors(), counters);
        this.free = device.depth();
        this.slots = new SectorCommand[free];
        this.freeSlots = new int[free];
        for (int i = 0; i < free; i++) {
            freeSlots[i] = i;
        }
    }

    @Override
    public boolean submit(NvmfTransfer transfer) {
        if (ended) {
            return false;
        }
        int key;
        try {
            key = device.key(transfer);
        } catch (CrailException e) {
            if (ended) { // with its device, which registers nothing any more
                return false;
            }
            transfer.fail(e);
            return true;
        }
        CrailException failure;
        List<NvmfTransfer> over;
        lock.lock();
        try {
            if (ended) {
                return false;
            }
            lastUseNs = limits.begunNs(transfer);
            transfer.enter(this);
            transfer.key = key;
            transfers.add(transfer);
            failure = postWaiting();
            over = transfers.takeOver();
        } finally {
            lock.unlock();
        }
        finish(over, failure);
        return true;
    }

    /** Posts what fits; answers why that failed, or null. */
    private CrailException postWaiting() {
        SectorCommand next = free > 0 ? transfers.next() : null;
        long nowNs = next == null ? 0 : System.nanoTime();
        while (next != null) {
            if (!next.work().begin(nowNs)) {
                next.work().end(false, null);
            } else {
                int slot = freeSlots[--free];
                slots[slot] = next;
                setInFlight(inFlight + 1);
                try {
                    device.post(slot, next);
                } catch (IOException e) {
                    return listener.unreachable("the device took no command (" + e.getMessage() + ")", e);
                }
                counters.countCommand(next.isWrite());
            }
            next = free > 0 ? transfers.next() : null;
        }
        busy = !transfers.live().isEmpty();
        return null;
    }

    private void setInFlight(int count) {
        loop.count(count - inFlight);
        inFlight = count;
    }

    /** To be called after commands may have been posted, but not by who takes completions. */
    private void finish(List<NvmfTransfer> over, CrailException failure) {
        if (failure != null) {
            end(failure);
        } else if (isCallerExpected() || turn.noteOthers()) {
            loop.wakeUpIfAsleep(); // a caller takes the completion, or calls the loop
        } else {
            callLoop();
        }
        finishAll(over);
    }

    private void finishAll(List<NvmfTransfer> over) {
        for (NvmfTransfer transfer : over) {
            finish(transfer);
        }
    }

    private void finish(NvmfTransfer transfer) {
        if (transfer.failure != null) {
            transfer.fail(transfer.failure);
        } else if (transfer.late) {
            transfer.failLate(limits);
        } else {
            transfer.succeed();
        }
    }

    /**
     * Whether this thread will take what it has posted; not what it posts when it has just taken something, which
     * others may wait for.
     */
    private boolean isCallerExpected() {
        return trust.isTrusted() && turn.holder() != Thread.currentThread();
    }

    private void callLoop() {
        trust.withdraw();
        loop.wakeUp();
    }

    @Override
    public int poll() {
        int finished = finishLeft();
        Thread holder = turn.holder(); // before it sees that its transfer is done
        boolean isExpected = holder != null || trust.isExpected();
        int taken = take(false);
        if (taken > 0 && holder != null) {
            trust.noteForestalled(holder);
        }
        return isExpected ? finished : finished + taken;
    }

    private int finishLeft() {
        int count = 0;
        for (NvmfTransfer next = left.poll(); next != null; next = left.poll()) {
            loop.count(-1);
            finish(next);
            count++;
        }
        return count;
    }

    /** Takes completions unless another thread does just now; answers how many. */
    private int take(boolean isCaller) {
        if (inFlight == 0 || ended || !lock.tryLock()) {
            return 0;
        }
        CrailException failure = null;
        List<NvmfTransfer> over;
        int count = 0;
        try {
            if (ended) {
                return 0;
            }
            count = device.poll();
            for (int i = 0; i < count; i++) {
                complete(device.slot(i), device.failure(i));
            }
            if (device.breakage() != null) {
                failure = broken(device.breakage()); // not by the next transfer, which would fail with it
            } else if (count > 0) {
                failure = postWaiting();
            }
        } catch (IOException e) {
            failure = broken(e);
        } finally {
            over = transfers.takeOver();
            lock.unlock();
        }
        if (failure != null) {
            end(failure);
        } else if (count > 0) {
            loop.wakeUpIfAsleep(); // as there was nothing in flight for a moment
        }
        if (over.isEmpty()) {
            return count; // most looks are in vain
        }
        if (isCaller) {
            leaveOthers(over);
            finishOwn(over);
        } else {
            finishAll(over);
        }
        return count;
    }

    /** What is chained to transfers of other threads might want what this thread holds, so the loop completes them. */
    private void leaveOthers(List<NvmfTransfer> over) {
        boolean areLeft = false;
        for (NvmfTransfer transfer : over) {
            if (!transfer.isOwn()) {
                loop.count(1); // before it is seen, so that the loop does not sleep
                left.add(transfer);
                areLeft = true;
            }
        }
        if (areLeft) {
            loop.wakeUp();
            if (ended) { // the loop may have seen to this session for the last time
                finishLeft();
            }
        }
    }

    private void finishOwn(List<NvmfTransfer> over) {
        for (NvmfTransfer transfer : over) {
            if (transfer.isOwn()) {
                finish(transfer);
            }
        }
    }

    /** See {@link NvmfTransfer#leave}. */
    void leave() {
        if (busy && !turn.noteOthers()) {
            callLoop();
        }
    }

    /** See {@link NvmfTransfer#advance}. */
    void advance(Future<?> awaited, long limitNs) {
        if (awaited.isDone()) {
            trust.noteSlower();
        } else if (!busy) {
            loop.wakeUp(); // it may be in flight elsewhere
        } else if (turn.begin()) {
            look(awaited, limitNs);
        } else if (!turn.noteOthers()) {
            callLoop();
        }
    }

    /** Takes completions; calls the loop for what is left to be taken. */
    private void look(Future<?> awaited, long limitNs) {
        boolean wasTooShort = true;
        boolean doOthersWait;
        try {
            wasTooShort = turn.look(awaited, limitNs, goesOn, takeAsCaller);
        } finally {
            doOthersWait = turn.end(wasTooShort);
        }
        if (busy && (doOthersWait || !awaited.isDone())) {
            callLoop();
        } else if (!awaited.isDone()) {
            loop.wakeUp(); // as above
        }
    }

    private boolean isToBeTaken() {
        return busy && !ended;
    }

    private int takeAsCaller() {
        int taken = take(true);
        if (taken > 0) {
            trust.noteTaken();
        }
        return taken;
    }

    @Override
    public DeviceLoop.Taker taker(long waitedNs) {
        boolean isExpected = trust.isStillExpected(waitedNs) || turn.holder() != null;
        if (isExpected && left.isEmpty()) {
            return DeviceLoop.Taker.CALLERS;
        }
        return inFlight > 0 || !left.isEmpty() ? DeviceLoop.Taker.THREAD : DeviceLoop.Taker.NOBODY;
    }

    private CrailException broken(IOException breakage) {
        return listener.unreachable("the connection broke (" + breakage.getMessage() + ")", breakage);
    }

    private void complete(int slot, CrailException failure) {
        SectorCommand command = slots[slot];
        slots[slot] = null;
        freeSlots[free++] = slot;
        setInFlight(inFlight - 1);
        command.work().end(true, failure);
    }

    @Override
    public List<NvmfTransfer> takeLate(long nowNs) {
        boolean stuck = false;
        CrailException failure;
        List<NvmfTransfer> over;
        lock.lock();
        try {
            if (ended) {
                return List.of();
            }
            for (NvmfTransfer transfer : new ArrayList<>(transfers.live())) {
                if (transfers.isLate(transfer, nowNs)) {
                    stuck |= transfer.inFlight > 0;
                    if (transfer.inFlight == 0) {
                        transfers.remove(transfer);
                    }
                }
            }
            failure = postWaiting();
            over = transfers.takeOver();
        } finally {
            lock.unlock();
        }
        finish(over, failure);
        if (stuck) {
            end(listener.endedByLate());
        }
        return List.of();
    }

    @Override
    public void end(CrailException reason) {
        List<NvmfTransfer> failed;
        boolean isWriting;
        lock.lock();
        try {
            if (ended) {
                return;
            }
            onEnding.accept(settled);
            ended = true;
            busy = false;
            failed = List.copyOf(transfers.live());
            isWriting = hasPostedWrites();
            setInFlight(0);
        } finally {
            lock.unlock();
        }
        listener.onEnd(this, reason);
        BackgroundThreads.runElsewhere(threads, () -> destroy(isWriting, failed, reason));
    }

    private boolean hasPostedWrites() {
        for (SectorCommand command : slots) {
            if (command != null && command.isWrite()) {
                return true;
            }
        }
        return false;
    }

    private void destroy(boolean isWriting, List<NvmfTransfer> failed, CrailException reason) {
        CrailException why = reason;
        try {
            device.destroy();
        } catch (RuntimeException | Error e) {
            why = new InternalErrorException("a connection to a target could not be closed properly: " + e, e);
        } finally { // otherwise nobody would ever connect again
            settled.completeOnTimeout(null, isWriting ? settleMs : 0, TimeUnit.MILLISECONDS);
        }
        finishLeft();
        loop.bury();
        for (NvmfTransfer transfer : failed) {
            if (transfer.late || transfer.isLate(System.nanoTime())) {
                transfer.failLate(limits);
            } else {
                transfer.fail(transfer.failure != null ? transfer.failure : why);
            }
        }
    }

    /** Tells the target that somebody is there; ends the session if that fails. */
    void keepAlive() {
        try {
            device.keepAlive();
        } catch (IOException e) {
            end(listener.unreachable("a keep-alive failed (" + e.getMessage() + ")", e));
        }
    }

    /** Ends the session since a keep-alive is overdue. */
    void missKeepAlive() {
        end(listener.unreachable("it did not answer a keep-alive in time", null));
    }

    /**
     * What is posted comes back when the target disconnects, also what waits for answers while there are no commands.
     */
    @Override
    public void endIfDisconnected() {
        CrailException failure = null;
        lock.lock();
        try {
            if (!ended && inFlight == 0) {
                device.poll();
            }
        } catch (IOException e) {
            failure = broken(e);
        } finally {
            lock.unlock();
        }
        if (failure != null) {
            end(failure);
        }
    }

    @Override
    public boolean isIdleSince(long beforeNs) {
        return !busy && lastUseNs - beforeNs < 0;
    }

    @Override
    public boolean isBusy() {
        return busy && !ended;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public void arm() {
        // jNVMf gives no events: the loop looks for completions now and then while there are commands
    }

    @Override
    public void release() {
        // the device has been destroyed when the session ended
    }
}

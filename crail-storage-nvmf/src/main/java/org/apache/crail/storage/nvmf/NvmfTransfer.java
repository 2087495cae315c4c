/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.error.CrailException;
import org.apache.crail.storage.Advanceable;
import org.apache.crail.storage.device.DirectTransfer;

/**
 * A read or write of bytes of a namespace. Who waits for it takes completions meanwhile. Its state is guarded by the
 * lock of its session.
 */
final class NvmfTransfer extends DirectTransfer implements Advanceable {
    private final Thread beginner = Thread.currentThread();
    private volatile SectorSession session;

    /** Of the memory of the buffer, for the connection that the transfer goes over. */
    int key;

    /** Parts that are not done. */
    int pending;

    /** Commands that the device has. */
    int inFlight;

    /** Writes that came before and touch the same sectors. */
    int blockers;

    boolean late;
    CrailException failure;

    /** Writes that wait for this one. */
    private List<NvmfTransfer> successors = List.of();

    NvmfTransfer(Range range) {
        super(range);
    }

    /** Now it is that session's. */
    void enter(SectorSession owner) {
        session = owner;
    }

    /** Whether this thread has asked for it, and so expects what is chained to it to run here. */
    boolean isOwn() {
        return Thread.currentThread() == beginner;
    }

    @Override
    public void advance(Future<?> awaited, long limitNs) {
        SectorSession current = session;
        if (current != null && (isOwn() || !awaited.isDone())) {
            current.advance(awaited, limitNs);
        }
    }

    @Override
    public void leave() {
        SectorSession current = session;
        if (current != null && !isDone()) {
            current.leave();
        }
    }

    @Override
    public Integer get() throws InterruptedException, ExecutionException {
        advance(this, Long.MAX_VALUE);
        return super.get();
    }

    @Override
    public Integer get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        advance(this, unit.toNanos(timeout));
        return super.get(timeout, unit);
    }

    long begin() {
        return remoteAddress();
    }

    long end() {
        return remoteAddress() + range().length();
    }

    boolean isDoomed() {
        return late || failure != null;
    }

    /** Lets another write wait for this one. */
    void block(NvmfTransfer successor) {
        if (successors.isEmpty()) {
            successors = new ArrayList<>();
        }
        successors.add(successor);
        successor.blockers++;
    }

    /** Those that need not wait for anything now that this one is over. */
    List<NvmfTransfer> unblocked() {
        if (successors.isEmpty()) {
            return successors;
        }
        List<NvmfTransfer> ready = new ArrayList<>();
        for (NvmfTransfer successor : successors) {
            if (--successor.blockers == 0) {
                ready.add(successor);
            }
        }
        successors = List.of();
        return ready;
    }

    /**
     * Whether this write and a later one must not be under way together: they share a sector, and one of them has all
     * of it, or the former has not begun. Otherwise parts of a sector are merged, in the order of their coming.
     */
    boolean conflicts(NvmfTransfer later, int sectorBytes) {
        long first = Math.max(begin() / sectorBytes, later.begin() / sectorBytes);
        long last = Math.min((end() - 1) / sectorBytes, (later.end() - 1) / sectorBytes);
        if (last - first > 1 || (blockers > 0 && first <= last)) {
            return true;
        }
        for (long sector = first; sector <= last; sector++) {
            if (!isPart(sector, sectorBytes) || !later.isPart(sector, sectorBytes)) {
                return true;
            }
        }
        return false;
    }

    private boolean isPart(long sector, int sectorBytes) {
        return begin() > sector * sectorBytes || end() < (sector + 1) * sectorBytes;
    }
}

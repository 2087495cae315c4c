/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.device;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.internal.LastResort;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.local.block.MappedBlocks;
import org.apache.crail.metadata.DataNodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the connection of an endpoint: makes it for the first transfer, and anew, after a growing pause, for the first
 * one after it broke. Watches the time limits of transfers. Thread safe.
 */
final class DeviceLink<T extends DirectTransfer> implements DirectSession.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceLink.class);
    private static final long FIRST_PAUSE_MS = 5;
    private static final long LONGEST_PAUSE_MS = 500;
    private static final long LONGEST_SWEEP_MS = 100;
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final DataNodeInfo datanode;
    private final String tier;
    private final TransferLimits limits;
    private final DirectSession.Maker<T> maker;
    private final Executor connecting;
    private final long sweepMs;
    private final ArrayDeque<T> waiting = new ArrayDeque<>();
    private final MappedBlocks mapped = new MappedBlocks(); // knows of a session before others do

    private volatile DirectSession<T> session;
    private volatile Future<?> sweep;
    private volatile long lookedNs = System.nanoTime();
    private boolean isConnecting;
    private boolean closed;
    private long pauseMs;
    private long earliestConnectNs = System.nanoTime();

    DeviceLink(
            DataNodeInfo datanode,
            String tier,
            TransferLimits limits,
            DirectSession.Maker<T> maker,
            Executor connecting) {
        this.datanode = datanode;
        this.tier = tier;
        this.limits = limits;
        this.maker = maker;
        this.connecting = connecting;
        this.sweepMs = Math.max(1, Math.min(LONGEST_SWEEP_MS, limits.limitMs() / 10));
    }

    /** Posts a transfer, now or when there is a connection. */
    void submit(T transfer) {
        DirectSession<T> current = session;
        if (current != null && current.isIdleSince(limits.begunNs(transfer) - IDLE_NS)) {
            current.endIfDisconnected(); // otherwise this transfer would find out, after the retries of the device
        }
        try {
            if (current == null || !current.submit(transfer)) {
                submitLater(transfer);
            }
        } finally {
            if (sweep == null) { // looked at last: a sweep that is under way may not have seen this transfer
                startSweep();
            }
        }
    }

    /** The datanode's blocks on this host, to be used while {@link #mayCopy}. */
    MappedBlocks mapped() {
        return mapped;
    }

    /** Whether the datanode has offered its memory over a connection that has not ended. */
    boolean mayCopy() {
        DirectSession<T> current = session;
        return current != null && current.localMemory() != null && !current.hasEnded();
    }

    /**
     * The same, for a transfer that has just begun. As copies tell nobody that the datanode has ended, its connection
     * is looked at now and then: a look has been finished that began at most {@link #IDLE_NS} before the transfer.
     */
    boolean mayCopy(T transfer) {
        return mayCopyAt(limits.begunNs(transfer));
    }

    /** The same, for a copy that begins now. */
    boolean mayCopyAt(long nowNs) {
        DirectSession<T> current = session;
        if (current != null && current.localMemory() != null && nowNs - lookedNs > IDLE_NS) {
            current.endIfDisconnected();
            lookedNs = nowNs; // not before: others do not look then
        }
        return mayCopy();
    }

    private void submitLater(T transfer) {
        DirectSession<T> current = sessionOrQueue(transfer);
        while (current != null && !current.submit(transfer)) {
            current = sessionOrQueue(transfer);
        }
    }

    /** A connection that can be tried, or null if the transfer now waits for one or has failed. */
    private DirectSession<T> sessionOrQueue(T transfer) {
        synchronized (this) {
            if (!closed) {
                if (session != null && !session.hasEnded()) {
                    return session;
                }
                if (session != null) {
                    detach();
                }
                waiting.add(transfer);
                connectAfterPause();
                return null;
            }
        }
        transfer.fail(closedError());
        return null;
    }

    /** With the lock held. */
    private void connectAfterPause() {
        if (isConnecting) {
            return;
        }
        long pauseNs = earliestConnectNs - System.nanoTime();
        boolean isBegun = false;
        isConnecting = true;
        try {
            if (pauseNs > 0 || !isTaken(this::connect)) {
                SharedTimer.after(TimeUnit.NANOSECONDS.toMillis(Math.max(0, pauseNs)) + 1, this::connectElsewhere);
            }
            isBegun = true;
        } finally {
            if (!isBegun) {
                isConnecting = false;
            }
        }
    }

    private boolean isTaken(Runnable task) {
        try {
            connecting.execute(task);
            return true;
        } catch (RuntimeException | Error e) { // no thread; somewhat later there may be one
            return false;
        }
    }

    /** If no thread can be had, what waits fails, and the next transfer tries anew. */
    private void connectElsewhere() {
        try {
            connecting.execute(this::connect);
        } catch (RuntimeException | Error e) {
            onEnd(null, unreachable("no thread can be had to connect (" + e + ")", e));
        }
    }

    private void connect() {
        if (isClosed()) {
            return;
        }
        try {
            onConnected(maker.connect(datanode, this));
        } catch (CrailException e) {
            onEnd(null, e);
        } catch (IOException e) {
            onEnd(null, unreachable(String.valueOf(e.getMessage()).strip(), e));
        } catch (RuntimeException | Error e) { // as when memory is short: the next one may have more luck
            onEnd(null, unreachable("connecting failed unexpectedly (" + e + ")", e));
        }
    }

    /** Gives the session what waited for it, in order, before others may use it. */
    private void onConnected(DirectSession<T> made) {
        List<T> refused = new ArrayList<>();
        List<T> ready;
        do {
            ready = takeWaitingOrBegin(made, !refused.isEmpty());
            for (T transfer : ready) {
                if (!made.submit(transfer)) {
                    refused.add(transfer);
                }
            }
        } while (!ready.isEmpty() && session != made);
        if (isClosed()) {
            made.end(closedError());
        }
        refused.forEach(this::submitLater);
    }

    /** What waited; when that is nothing, or the session has ended already, it is the one to be tried from now on. */
    private synchronized List<T> takeWaitingOrBegin(DirectSession<T> made, boolean hasEnded) {
        List<T> ready = new ArrayList<>(waiting);
        waiting.clear();
        if (ready.isEmpty() || hasEnded || closed) {
            isConnecting = false;
            mapped.begin(made.localMemory());
            session = closed ? null : made;
            pauseMs = 0;
        }
        return ready;
    }

    @Override
    public void onEnd(DirectSession<?> ended, CrailException reason) {
        List<T> failed;
        synchronized (this) {
            if (ended != session) {
                return;
            }
            detach();
            isConnecting = false;
            failed = new ArrayList<>(waiting);
            waiting.clear();
        }
        failed.forEach(transfer -> transfer.fail(reason));
    }

    /** With the lock held: there is no connection any more, and the next one is not made at once. */
    private void detach() {
        session = null;
        mapped.end();
        pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs));
        earliestConnectNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
    }

    @Override
    public CrailException unreachable(String why, Throwable cause) {
        return new DatanodeUnreachableException(
                "datanode " + datanode.identity() + " cannot be reached by the " + tier + " tier: " + why
                        + "; check that the datanode runs and its address can be reached from here",
                cause);
    }

    @Override
    public CrailException endedByLate() {
        return limits.byLease()
                ? new StaleBlockException("another transfer from or to datanode " + datanode.identity()
                        + " did not finish within its lease, which ended the connection; ask the namenode for the location"
                        + " again, check the datanode, or raise crail.tokenexpiration")
                : unreachable("it did not answer another transfer in time; the connection was closed", null);
    }

    ClosedException closedError() {
        return new ClosedException("the endpoint of datanode " + datanode.identity() + " has been closed");
    }

    private synchronized void startSweep() {
        if (sweep == null) {
            sweep = SharedTimer.after(
                    sweepMs, () -> BackgroundThreads.runElsewhere(BackgroundThreads.executor(), this::sweep));
        }
    }

    /** Not on the timer's thread: taking a connection from the device and failing transfers may take their time. */
    private void sweep() {
        synchronized (this) { // not before startSweep has set it
            sweep = null;
        }
        try {
            failLate(System.nanoTime());
        } finally {
            if (isBusy()) {
                startSweep();
            }
        }
    }

    private void failLate(long nowNs) {
        List<T> late = takeLateWaiting(nowNs);
        DirectSession<T> current = session;
        if (current != null) {
            late.addAll(current.takeLate(nowNs));
            current.endIfDisconnected();
        }
        late.forEach(transfer ->
                LastResort.run(() -> transfer.failLate(limits), e -> LOG.error("a transfer could not be failed", e)));
    }

    private synchronized List<T> takeLateWaiting(long nowNs) {
        List<T> late = new ArrayList<>();
        for (Iterator<T> it = waiting.iterator(); it.hasNext(); ) {
            T transfer = it.next();
            if (transfer.isLate(nowNs)) {
                late.add(transfer);
                it.remove();
            }
        }
        return late;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized boolean isBusy() {
        return !waiting.isEmpty() || (session != null && session.isBusy());
    }

    /** Ends the connection; transfers fail. */
    void close() {
        DirectSession<T> current;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            current = session;
        }
        if (current != null) {
            current.end(closedError());
        } else {
            onEnd(null, closedError());
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.device;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.internal.LastResort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that takes the completions of all connections over one device, but for those that their callers have
 * taken. A completion queue is armed, that is, gives an event with its next completion, before the thread waits for
 * events. When polling is on, the thread polls for {@link #POLL_NS} after each completion and each transfer that begins
 * when there was none; it never polls longer. With nothing to do it waits a while for the next event, then sleeps until
 * it is woken; at once, if the last event told of a completion that a caller had taken. While callers that wait for
 * their transfers take all completions, or are expected to, it looks now and then only: at first once in {@link
 * #SHORTEST_NAP_NS}, the longer they do the less often, at least once in {@link #LONGEST_NAP_NS}. Thread safe.
 */
public final class DeviceLoop {
    /** As long as waking a thread takes, roughly: polling longer than the cost of not polling cannot pay. */
    public static final long POLL_NS = 50_000;

    /** How late a transfer may be noticed for which nobody waits, if somebody has waited for others just before. */
    private static final long SHORTEST_NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The same if callers have taken all completions for at least as long before. */
    private static final long LONGEST_NAP_NS = 16 * SHORTEST_NAP_NS;

    private static final Logger LOG = LoggerFactory.getLogger(DeviceLoop.class);
    private static final long DOZE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int EVENT_WAIT_MS = 100;
    private static final long JOIN_LIMIT_MS = 5_000;

    /** Made while there is memory for it. */
    private final CrailException broken =
            new DatanodeUnreachableException("completions of the device can no longer be taken; the log says why");

    private final List<Source> sources = new CopyOnWriteArrayList<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final EventSource events;
    private final long pollNs;
    private final long dozeNs;
    private final Runnable onStopped;
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean napping;
    private volatile boolean called; // since the last nap
    private volatile boolean awaitingEvents;
    private volatile boolean graves;
    private volatile CrailException stopped;
    private boolean finished; // guarded by sources
    private boolean callersTake; // for the thread only
    private long nappedNs; // the same, since it asked sources last
    private long napNs = SHORTEST_NAP_NS; // the same

    /** One connection. Called by the thread, and by {@link #add} if the loop has been closed. */
    public interface Source {
        /** Takes completions; answers how many there were, but for those that a caller is expected for. */
        int poll();

        /** Sees to it that there is an event with the next completion. */
        void arm();

        /**
         * Who takes its completions just now.
         *
         * @param waitedNs how long the loop has left them to callers since it asked last
         */
        default Taker taker(long waitedNs) {
            return Taker.THREAD;
        }

        /** Whether it is to be released. */
        boolean hasEnded();

        /** Ends it. */
        void end(CrailException reason);

        /** Gives its completion queue back. */
        void release();
    }

    /** Who takes the completions of a connection. */
    public enum Taker {
        /** There are none to be taken. */
        NOBODY,
        /** Threads that wait for their transfers do, or are expected to. */
        CALLERS,
        /** The loop has to. */
        THREAD
    }

    /** Where events of completion queues arrive. */
    public interface EventSource {
        /** Waits for an event, or for the time to be over; answers whether there was one. */
        boolean await(int timeoutMs) throws IOException;
    }

    /**
     * Starts the thread.
     *
     * @param polling whether to poll a while before waiting
     * @param onStopped called by the thread in the end, when all sources have been released
     */
    public DeviceLoop(String name, EventSource events, boolean polling, Runnable onStopped) {
        this.events = events;
        boolean canPoll = polling && Runtime.getRuntime().availableProcessors() > 1;
        this.pollNs = canPoll ? POLL_NS : 0;
        this.dozeNs = canPoll ? POLL_NS : DOZE_NS;
        this.onStopped = onStopped;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Adds a connection; false if the loop has been closed, which ends and releases it. */
    public boolean add(Source source) {
        boolean added;
        synchronized (sources) {
            added = !finished;
            if (added) {
                sources.add(source);
            }
        }
        if (stopped != null) {
            source.end(stopped);
            if (!added) {
                source.release(); // the thread does not do it any more
            }
            return false;
        }
        return true;
    }

    /** Counts transfers that began, or ended. */
    public void count(int delta) {
        inFlight.addAndGet(delta);
    }

    /**
     * Whether the thread waits for events, or is about to. Who posts to a source that is not armed looks before that,
     * and arms it first.
     */
    public boolean isAwaitingEvents() {
        return awaitingEvents;
    }

    /** To be called when transfers have been posted that have not completed. */
    public void wakeUp() {
        if (!called) {
            called = true;
        }
        if (parked || napping) {
            LockSupport.unpark(thread);
        }
    }

    /** The same when callers take completions: those that they leave may be taken somewhat later. */
    public void wakeUpIfAsleep() {
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    /** To be called when a source has ended. */
    public void bury() {
        graves = true;
        wakeUp();
    }

    private void run() {
        try {
            long lastWorkNs = System.nanoTime();
            while (stopped == null) {
                lastWorkNs = work(lastWorkNs);
            }
        } catch (IOException | RuntimeException | Error e) {
            // Also when memory is short, and there may be none for the log: otherwise all transfers would wait.
            stopped = broken;
            LastResort.tell(
                    failure -> LOG.error(
                            "completions of a device can no longer be taken; its connections are closed", failure),
                    e);
        }
        synchronized (sources) {
            finished = true;
        }
        sources.forEach(source -> runLogged(() -> source.end(stopped)));
        runLogged(this::removeEnded);
        runLogged(onStopped);
    }

    private static void runLogged(Runnable end) {
        LastResort.run(end, e -> LOG.error("a connection over a device could not be ended", e));
    }

    /** One round; answers when there was something to do last. */
    private long work(long lastWorkNs) throws IOException {
        if (graves) {
            removeEnded();
        }
        long nowNs = System.nanoTime();
        if (pollAll() > 0) {
            return nowNs;
        }
        if (areCallersTaking()) {
            nap();
            return nowNs;
        }
        napNs = SHORTEST_NAP_NS;
        long idleNs = nowNs - lastWorkNs;
        if (idleNs < pollNs) {
            Thread.onSpinWait();
        } else if (inFlight.get() > 0 || (idleNs < dozeNs && !callersTake)) {
            if (takeAfterEvent()) {
                return System.nanoTime();
            }
        } else {
            sleep();
            return System.nanoTime();
        }
        return lastWorkNs;
    }

    private boolean areCallersTaking() {
        boolean areTaking = false;
        boolean isNeeded = false;
        for (Source source : sources) {
            Taker taker = source.taker(nappedNs);
            isNeeded |= taker == Taker.THREAD;
            areTaking |= taker == Taker.CALLERS;
        }
        nappedNs = 0;
        return areTaking && !isNeeded;
    }

    private void nap() {
        napping = true;
        if (!called && !graves && stopped == null) {
            LockSupport.parkNanos(this, napNs);
        }
        napping = false;
        if (called) {
            called = false; // a call from now on meets the short nap
            napNs = SHORTEST_NAP_NS;
        } else {
            nappedNs = napNs;
            napNs = Math.min(2 * napNs, LONGEST_NAP_NS);
        }
    }

    private int pollAll() {
        int taken = 0;
        for (Source source : sources) {
            taken += source.poll();
        }
        if (taken > 0) {
            callersTake = false;
            napNs = SHORTEST_NAP_NS;
        }
        return taken;
    }

    /** Waits for an event unless something completed in time; whether something did. */
    private boolean takeAfterEvent() throws IOException {
        awaitingEvents = true;
        for (Source source : sources) {
            if (!source.hasEnded()) {
                source.arm();
            }
        }
        int taken = pollAll();
        if (taken == 0 && stopped == null) {
            boolean told = events.await(EVENT_WAIT_MS);
            awaitingEvents = false;
            taken = pollAll();
            callersTake |= told && taken == 0;
        }
        awaitingEvents = false;
        return taken > 0;
    }

    private void sleep() {
        parked = true;
        if (inFlight.get() == 0 && !graves && stopped == null) {
            LockSupport.park(this);
        }
        parked = false;
    }

    private void removeEnded() {
        graves = false;
        List<Source> ended = sources.stream().filter(Source::hasEnded).toList();
        sources.removeAll(ended);
        ended.forEach(Source::release);
    }

    /** Ends the connections and the thread, and waits for it unless called by it. */
    public void close(CrailException reason) {
        if (stopped == null) {
            stopped = reason;
        }
        LockSupport.unpark(thread);
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(JOIN_LIMIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

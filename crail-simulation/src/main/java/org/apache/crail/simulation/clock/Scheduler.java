/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.internal.Surroundings;

/**
 * Virtual time, and the order in which everything happens: events by their time, and strands, which are threads that
 * run one at a time. The seed decides all of it. Confined to the thread that runs it and to its strands, of which
 * one holds the baton.
 */
public final class Scheduler implements Surroundings.Simulated {
    private static final ThreadLocal<Scheduler> OF_THREAD = new ThreadLocal<>();
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "simulation-strand");
        thread.setDaemon(true);
        return thread;
    });

    /** A woken thread gets a processor after this time at most. */
    private static final long MOST_WAKING_NS = 50_000;

    private final SplittableRandom random;
    private final SplittableRandom chance;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<Strand> strands = new ArrayList<>();
    private long nowNs = TimeUnit.SECONDS.toNanos(1);
    private long number;
    private long steps;
    private SimulatedProcess current;
    private Strand running;
    private Runnable afterStep = () -> {};

    /** Makes a scheduler whose order follows from {@code seed}. */
    public Scheduler(long seed) {
        SplittableRandom root = new SplittableRandom(seed);
        this.random = root.split();
        this.chance = root.split();
        Surroundings.simulate(Scheduler::current);
    }

    /** Makes this the machine of the calling thread. */
    public void enter() {
        OF_THREAD.set(this);
    }

    /** The calling thread has no simulated machine any more. */
    public static void leave() {
        OF_THREAD.remove();
    }

    /** The one of the calling thread. */
    public static Scheduler current() {
        Scheduler scheduler = OF_THREAD.get();
        if (scheduler == null) {
            throw new IllegalStateException("this thread belongs to no simulation");
        }
        return scheduler;
    }

    /** What happens by chance follows from this. */
    public SplittableRandom random() {
        return random;
    }

    /** To be done after each event. */
    public void afterStep(Runnable check) {
        afterStep = check;
    }

    public SimulatedProcess process(String name) {
        return new SimulatedProcess(name);
    }

    /** The process in which something happens now. */
    public SimulatedProcess currentProcess() {
        return current;
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }

    @Override
    public long nextLong() {
        return chance.nextLong();
    }

    /** Events so far. */
    public long steps() {
        return steps;
    }

    /** Lets something happen in a process, some time from now. */
    public Future<?> after(SimulatedProcess process, long delayNs, Runnable task) {
        Event event = new Event(process, nowNs + Math.max(0, delayNs), number++, task);
        events.add(event);
        return event;
    }

    @Override
    public Future<?> after(long delayMs, Runnable task) {
        return after(current, TimeUnit.MILLISECONDS.toNanos(delayMs), task);
    }

    @Override
    public Future<?> every(long periodMs, Runnable task) {
        Periodic periodic = new Periodic(current, TimeUnit.MILLISECONDS.toNanos(periodMs), task);
        periodic.next();
        return periodic;
    }

    @Override
    public void execute(Runnable task) {
        after(current, random.nextLong(MOST_WAKING_NS), task);
    }

    /** Starts a thread in a process; the future is done when it has ended. */
    public Future<?> start(SimulatedProcess process, Runnable body) {
        Strand strand = new Strand(process);
        strands.add(strand);
        CompletableFuture<Void> end = new CompletableFuture<>();
        Future<?> ignored = THREADS.submit(() -> {
            enter();
            strand.run(() -> {
                body.run();
                end.complete(null);
            });
            leave();
        });
        strand.wake();
        after(process, random.nextLong(MOST_WAKING_NS), () -> resume(strand));
        return end;
    }

    @Override
    public Future<?> start(Runnable body) {
        return start(current, body);
    }

    @Override
    public void await(Future<?> awaited, long limitNs) {
        Strand strand = requireStrand();
        Future<?> limit = limitNs > Long.MAX_VALUE / 4 ? null : after(current, limitNs, () -> wake(strand));
        strand.await(awaited);
        if (limit != null) {
            limit.cancel(false);
        }
    }

    @Override
    public void pause(long pauseNs) {
        Strand strand = requireStrand();
        Future<?> wake = after(current, pauseNs, () -> wake(strand));
        strand.await(null);
        wake.cancel(false);
    }

    /** Whether the caller is a thread that may wait. */
    public boolean mayWait() {
        return running != null;
    }

    private Strand requireStrand() {
        if (running == null) {
            throw new IllegalStateException("code that must not wait waits, in " + current);
        }
        if (running.process().hasCrashed()) {
            throw new ProcessCrashed(running.process());
        }
        return running;
    }

    private void wake(Strand strand) {
        if (strand.wake()) {
            resume(strand);
        }
    }

    private void resume(Strand strand) {
        running = strand;
        try {
            strand.resume();
        } finally {
            running = null;
        }
        if (strand.failure() != null) {
            throw new IllegalStateException("a thread of " + strand.process() + " failed", strand.failure());
        }
    }

    /** Lets everything happen until that time, or until nothing is left. */
    public void runUntil(long timeNs) {
        while (!events.isEmpty() && events.peek().timeNs <= timeNs) {
            step(events.poll());
        }
        nowNs = Math.max(nowNs, timeNs);
    }

    /** Ends all threads, whatever they do. */
    public void end() {
        for (Strand strand : strands) {
            strand.process().crash();
        }
        for (Strand strand : strands) {
            running = strand;
            while (!strand.hasEnded()) {
                strand.resume();
            }
            running = null;
        }
    }

    private void step(Event event) {
        if (event.isDone() || event.process.hasCrashed()) {
            return;
        }
        if (event.process.pausedUntilNs() > event.timeNs) {
            event.timeNs = event.process.pausedUntilNs();
            events.add(event); // behind what waits already, as its number says
            return;
        }
        nowNs = Math.max(nowNs, event.timeNs);
        steps++;
        current = event.process;
        event.run();
        strands.removeIf(Strand::hasEnded);
        for (Strand strand : strands) {
            if (strand.isReady() && strand.wake()) {
                after(strand.process(), random.nextLong(MOST_WAKING_NS), () -> resume(strand));
            }
        }
        afterStep.run();
    }

    /** Something that happens once. */
    private static final class Event extends CompletableFuture<Void> implements Comparable<Event> {
        private final SimulatedProcess process;
        private final long number;
        private final Runnable task;
        private long timeNs;

        Event(SimulatedProcess process, long timeNs, long number, Runnable task) {
            this.process = process;
            this.timeNs = timeNs;
            this.number = number;
            this.task = task;
        }

        void run() {
            complete(null);
            task.run();
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(timeNs, other.timeNs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** Something that happens again and again. */
    private final class Periodic extends CompletableFuture<Void> {
        private final SimulatedProcess process;
        private final long periodNs;
        private final Runnable task;

        Periodic(SimulatedProcess process, long periodNs, Runnable task) {
            this.process = process;
            this.periodNs = periodNs;
            this.task = task;
        }

        void next() {
            Future<?> ignored = Scheduler.this.after(process, periodNs, this::run);
        }

        private void run() {
            if (!isDone()) {
                task.run();
                next();
            }
        }
    }
}

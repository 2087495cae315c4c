/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.interleaving;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.namenode.NamenodeClock;

/**
 * Time that passes when a test says so, timers that run in the thread that says so, threads, and numbers that are
 * always the same. Who waits does so without limit, so that Fray notices if nothing can end that. Thread safe.
 */
public final class ManualSurroundings implements Surroundings.Simulated, NamenodeClock, Interleavings.Fixture {
    private static final long START_NS = 1_000_000_000_000L;
    private static final long ODD = 0x9E3779B97F4A7C15L;

    private final AtomicLong numbers = new AtomicLong();

    /** Whoever reads it may be overtaken. */
    private volatile long nowNs = START_NS;

    /** Guarded by this. */
    private final List<Timer> timers = new ArrayList<>();

    /** Guarded by this. */
    private final List<Thread> threads = new ArrayList<>();

    /** Takes the place of the machine until the end. */
    public ManualSurroundings() {
        Surroundings.simulate(() -> this);
    }

    /** What is to be done at a time, and again after each period unless that is 0. */
    private static final class Timer extends CompletableFuture<Void> {
        private final Runnable task;
        private final long periodNs;
        private long dueNs;

        Timer(Runnable task, long dueNs, long periodNs) {
            this.task = task;
            this.dueNs = dueNs;
            this.periodNs = periodNs;
        }
    }

    /** Lets time pass, and then runs each timer that is due, once. */
    public void pass(long ms) {
        for (Timer timer : takeDue(advance(TimeUnit.MILLISECONDS.toNanos(ms)))) {
            if (!timer.isCancelled()) {
                timer.task.run();
            }
        }
    }

    private synchronized long advance(long ns) {
        nowNs += ns;
        return nowNs;
    }

    private synchronized List<Timer> takeDue(long now) {
        List<Timer> due = new ArrayList<>();
        for (Iterator<Timer> all = timers.iterator(); all.hasNext(); ) {
            Timer timer = all.next();
            if (timer.dueNs - now <= 0) {
                due.add(timer);
                timer.dueNs = now + timer.periodNs;
                if (timer.periodNs == 0) {
                    all.remove();
                }
            }
        }
        return due;
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }

    @Override
    public long currentTimeMillis() {
        return TimeUnit.NANOSECONDS.toMillis(nowNs);
    }

    @Override
    public long nextLong() {
        return numbers.addAndGet(ODD);
    }

    @Override
    public Future<?> after(long delayMs, Runnable task) {
        return add(new Timer(task, nowNs + TimeUnit.MILLISECONDS.toNanos(delayMs), 0));
    }

    @Override
    public Future<?> every(long periodMs, Runnable task) {
        long periodNs = TimeUnit.MILLISECONDS.toNanos(periodMs);
        return add(new Timer(task, nowNs + periodNs, periodNs));
    }

    private synchronized Future<?> add(Timer timer) {
        timers.add(timer);
        return timer;
    }

    @Override
    public void execute(Runnable task) {
        start(task);
    }

    @Override
    public Future<?> start(Runnable body) {
        FutureTask<Void> task = new FutureTask<>(body, null);
        Thread thread = new Thread(task, "background");
        synchronized (this) {
            threads.add(thread);
        }
        thread.start();
        return task;
    }

    @Override
    public void await(Future<?> awaited, long limitNs) {
        try {
            if (awaited instanceof CompletableFuture<?> stage) { // whose own get may come here again
                CountDownLatch done = new CountDownLatch(1);
                CompletableFuture<?> ignored = stage.whenComplete((result, failure) -> done.countDown());
                done.await();
            } else {
                awaited.get();
            }
        } catch (ExecutionException e) {
            // Who waits asks again, and gets it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void pause(long pauseNs) {
        long ignored = advance(pauseNs);
    }

    /** Waits for the threads that have been started so far. */
    public void join() throws InterruptedException {
        List<Thread> started;
        synchronized (this) {
            started = new ArrayList<>(threads);
            threads.clear();
        }
        for (Thread thread : started) {
            thread.join();
        }
    }

    /** Gives the machine back, when all threads have ended. */
    @Override
    public void end() throws InterruptedException {
        join();
        Surroundings.simulate(null);
    }
}

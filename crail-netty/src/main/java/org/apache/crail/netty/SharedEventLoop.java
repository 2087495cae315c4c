/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * An event loop for clients that a waiting thread can run by itself. It sends its request, waits for the socket or the
 * memory and takes the answer. No other thread has to be woken up, which takes about as long as the network does. One
 * thread at a time runs the loop, and only that one is inside for Netty.
 *
 * <table>
 *   <caption>States</caption>
 *   <tr><th>state</th><th>who runs the loop</th><th>goes to</th><th>when</th></tr>
 *   <tr><td>OWNED</td><td>the loop's thread</td><td>LENT</td><td>a thread waits, no awaited request is in flight, and
 * one thread has sent the last requests, one at a time and to be waited for</td></tr>
 *   <tr><td>LENT</td><td>one thread that waits; the loop's thread checks each {@link #NAP_NS}</td><td>OWNED</td>
 * <td>another thread sends or waits; two requests are in flight; a borrower leaves before its answer is there; nobody
 * has run the loop for {@link #NAP_NS}</td></tr>
 * </table>
 *
 * <p>An answer that nobody waits for may be noticed {@link #NAP_NS} late while the loop is lent. After that the loop is
 * lent less readily. So a thread that takes an answer has asked for it, or is the loop's thread, or nobody waits for
 * that answer. Thread safe.
 */
public final class SharedEventLoop extends SpinningEventLoop {
    /**
     * The loop's thread looks so often while the loop is lent, and a borrower at the clock and whether its answer has
     * come another way.
     */
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A borrower that waits for longer leaves that to the loop's thread. */
    private static final long LONGEST_RUN_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long TASKS_LIMIT_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * So many requests in a row come from one thread before it may have the loop: at least, and after disappointments.
     */
    private static final int LEAST_NEEDED = 8;

    private static final int MOST_NEEDED = 1024;

    /** A lend of which so many requests have made use was right, however it ended. */
    private static final int WORTHWHILE = 64;

    private final ReentrantLock running = new ReentrantLock();
    private final IoHandlerContext brief = new Context(NAP_NS);
    private final IoHandlerContext atOnce = new Context(0);
    private final AtomicReference<Thread> runner =
            new AtomicReference<>(); // without fences: a thread sees what it wrote last, or what came after
    private Thread own; // known before the loop is lent
    private volatile boolean lent;
    private volatile boolean claimed;
    private volatile boolean wanted; // by a thread that waits
    private volatile Thread sender;
    private volatile boolean disturbed; // by another sender or an unawaited request since the loop's thread looked
    private final Traffic traffic = new Traffic();

    /**
     * For who is inside. An object of its own, as it changes with each request, beside which callers would read slowly.
     */
    private static final class Traffic {
        private final AtomicInteger inFlight = new AtomicInteger();
        private final AtomicInteger alone = new AtomicInteger(); // requests in a row that nothing overlapped
        private int needed = LEAST_NEEDED; // so many, before the loop is lent
        private long runs; // by borrowers
    }

    SharedEventLoop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory handlers, SpinThenWait waiting) {
        super(parent, executor, handlers, waiting);
    }

    /** The loop of a channel, or null if it is none of these. */
    public static SharedEventLoop of(EventLoop loop) {
        return loop instanceof SharedEventLoop shared ? shared : null;
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return thread == runner.getOpaque();
    }

    /** Not offered. */
    @Override
    public boolean trySuspend() {
        return false;
    }

    @Override
    protected void run() {
        own = Thread.currentThread();
        enter();
        ioHandler().initialize();
        boolean isEnding;
        do {
            if (wanted && traffic.inFlight.get() == 0) {
                wanted = false;
                if (isWorthLending()) {
                    lend();
                }
            }
            isEnding = isShuttingDown(); // asked before it sleeps: a borrower may have taken what would wake it
            if (isEnding) {
                lookAround();
                waiting.inputs().end(); // each by its own rules, before the sockets are closed
                runAllTasks(TASKS_LIMIT_NS);
                ioHandler().prepareToDestroy();
            } else {
                runIo();
            }
            runAllTasks(TASKS_LIMIT_NS);
        } while (!isEnding
                || !confirmShutdown()); // what follows is done inside, too, and nobody else comes in any more
    }

    private boolean isWorthLending() {
        if (disturbed) {
            disturbed = false;
            traffic.alone.set(0);
        }
        return traffic.alone.get() >= traffic.needed;
    }

    /** Lets callers run the loop until it is to be taken back. */
    private void lend() {
        claimed = false;
        lent = true;
        if (!disturbed && !hasTasks()) {
            long before = traffic.runs;
            boolean isForgotten;
            long seen;
            do {
                seen = traffic.runs;
                leave();
                awaitLock();
                isForgotten = !isClaimed() && takesForgotten();
            } while (!isForgotten && !isClaimed() && traffic.runs != seen);
            learn(isForgotten || (seen == before && !isClaimed()), traffic.runs - before);
        }
        lent = false;
        claimed = false;
    }

    /** Parks a while, and longer while the loop is being run; then enters. */
    private void awaitLock() {
        do {
            boolean ignored = Thread.interrupted(); // would keep it awake
            LockSupport.parkNanos(this, NAP_NS);
        } while (!isClaimed() && !tryEnter());
        if (!inEventLoop()) {
            enter();
        }
    }

    private boolean isClaimed() {
        return claimed || isShuttingDown();
    }

    /** Takes what has come; whether that is an answer for which somebody was to wait. */
    private boolean takesForgotten() {
        int before = traffic.inFlight.get();
        lookAround();
        return traffic.inFlight.get() < before;
    }

    /** Takes what has come for nobody. */
    private void lookAround() {
        look(atOnce);
        runAllTasks(TASKS_LIMIT_NS);
    }

    /**
     * Lends more readily after that was of use, and less readily after somebody did not wait for an answer, or nobody
     * came.
     */
    private void learn(boolean isDisappointed, long used) {
        int needed = traffic.needed;
        if (used >= WORTHWHILE) {
            traffic.needed = Math.max(LEAST_NEEDED, needed / 2);
        } else if (isDisappointed) {
            traffic.alone.set(0);
            traffic.needed = Math.min(MOST_NEEDED, 2 * needed);
        }
    }

    private void enter() {
        running.lock();
        runner.setOpaque(Thread.currentThread());
    }

    private boolean tryEnter() {
        boolean isInside = !inEventLoop() && running.tryLock();
        if (isInside) {
            runner.setOpaque(Thread.currentThread());
        }
        return isInside;
    }

    private void leave() {
        runner.setOpaque(null);
        running.unlock();
    }

    /** Whether the calling thread is the loop's, and not one that runs it while it waits. */
    public boolean isOwnThread() {
        return Thread.currentThread() == own;
    }

    /** Takes the loop back from borrowers: nobody is going to wait for what is in flight. */
    public void claim() {
        if (lent && !claimed) {
            claimed = true;
            LockSupport.unpark(own);
            wakeup(false); // the thread that runs the loop now
        }
    }

    /** As {@link #claim}, unless a thread runs the loop: it hears what comes, and claims the loop when it leaves. */
    public void claimIfIdle() {
        if (runner.get() == null) {
            claim();
        }
    }

    @Override
    public void execute(Runnable task) {
        super.execute(task);
        if (lent && !inEventLoop()) {
            LockSupport.unpark(own); // if nobody runs the loop
        }
    }

    /**
     * Counts requests that somebody may wait for: that are to be answered, or have been, or never will be. Thread safe.
     */
    public void count(int delta) {
        int inFlight = traffic.inFlight.addAndGet(delta);
        if (inFlight > 1) {
            traffic.alone.set(0); // whose requests overlap need not have the loop
        } else if (inFlight == 0 && traffic.alone.get() < MOST_NEEDED) {
            traffic.alone.incrementAndGet();
        }
    }

    /**
     * To be called when a request has been put where the thread that runs the loop finds it.
     *
     * @param isAwaited whether the thread is going to call {@link #advance}
     */
    public void onRequest(boolean isAwaited) {
        if (inEventLoop()) {
            return;
        }
        Thread caller = Thread.currentThread();
        if (!disturbed && (sender != caller || !isAwaited)) {
            sender = caller;
            disturbed = true;
        }
        if (disturbed) {
            claim(); // also if another stranger is about to
        }
    }

    /** Runs a task that sends requests here and now, if the loop is lent and nobody runs it. Returns whether it did. */
    public boolean runHere(Runnable task) {
        if (!isLent() || !tryEnter()) {
            return false;
        }
        boolean isStillLent = isLent();
        if (isStillLent) {
            safeExecute(task);
        }
        giveBack(traffic.inFlight.get() > 1);
        return isStillLent;
    }

    private boolean isLent() {
        return lent && !claimed;
    }

    /**
     * Turns the loop until something has come, or others shall do that, which they do without being asked.
     *
     * @param limitNs when to stop at the latest; if it is short, the loop is left to its thread
     */
    public void advance(BooleanSupplier hasCome, long limitNs) {
        if (!lent || claimed) {
            if (!wanted) {
                wanted = true;
            }
            return;
        }
        if (limitNs < NAP_NS || sender != Thread.currentThread() || !tryEnter()) {
            claim(); // nobody may run the loop after the thread that does now
            wanted = true;
            return;
        }
        try {
            traffic.runs++;
            runUntil(hasCome, limitNs);
        } finally {
            giveBack(traffic.inFlight.get() > 0);
        }
    }

    private void runUntil(BooleanSupplier hasCome, long limitNs) {
        if (hasCome.getAsBoolean() || isClaimed()) {
            return;
        }
        long longestNs = Math.min(limitNs, LONGEST_RUN_NS);
        long startNs = System.nanoTime();
        waiting.expectAnswer();
        if (hasTasks()) {
            runAllTasks(TASKS_LIMIT_NS); // the answer may be there, and no poll follow
        }
        while (!hasCome.getAsBoolean()
                && !isClaimed()
                && traffic.inFlight.get() == 1
                && System.nanoTime() - startNs <= longestNs
                && !Thread.currentThread().isInterrupted()) {
            look(brief);
            if (!isClaimed()) { // or they are the loop's thread's
                runAllTasks(TASKS_LIMIT_NS);
            }
        }
    }

    /** Leaves; if the loop's thread is needed it takes over. */
    private void giveBack(boolean isOwnNeeded) {
        leave();
        if (isOwnNeeded) {
            claim();
        } else if (pendingTasks() > 0) {
            LockSupport.unpark(own); // it may have looked while the loop was run
        }
    }

    /** How long a poll of the loop may park. */
    private final class Context implements IoHandlerContext {
        private final long longestNs;

        Context(long longestNs) {
            this.longestNs = longestNs;
        }

        @Override
        public boolean canBlock() {
            return longestNs > 0 && traffic.inFlight.get() == 1 && !claimed && !hasTasks() && !hasScheduledTasks();
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return longestNs;
        }

        @Override
        public long deadlineNanos() {
            return Math.max(1, System.nanoTime());
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An event loop for clients that a thread which waits for an answer turns by itself: it sends its request, waits for the
 * socket or the memory and takes the answer, and no other thread has to be woken, which would take about as long as the network does. One
 * thread at a time turns the loop, and only that one is inside for Netty; it may be any thread of the program.
 *
 * <p>The loop's own thread lends it when nothing that somebody may wait for is in flight and one thread has sent the last requests, one at a time and to
 * be waited for. It takes it back when another thread sends or waits, when two requests are in flight, when a borrower leaves
 * before its answer is there, and when nobody has turned the loop for {@link #NAP_NS}; what nobody waits for may be noticed so
 * late, after which the loop is lent less readily. So who turns the loop and takes an answer has asked for it, or is the loop's thread, or nobody waits
 * for that answer.
 *
 * <p>Otherwise its thread turns it. While that looks for messages and gives the processor away, others may visit: they send, and take what has come through memory, but leave it to
 * those who asked, or the loop's thread, to go on. What is said of who turns the loop holds for visitors, too. Thread safe.
 */
public final class SharedEventLoop extends SpinningEventLoop {
    /** The loop's thread looks so often while the loop is lent, and a borrower at the clock and whether its answer has come another way. */
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A borrower that waits for longer leaves that to the loop's thread. */
    private static final long LONGEST_TURN_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long TASKS_LIMIT_NS = TimeUnit.SECONDS.toNanos(1);

    /** So many requests in a row come from one thread before it may have the loop: at least, and after disappointments. */
    private static final int LEAST_NEEDED = 8;

    private static final int MOST_NEEDED = 1024;

    /** So often the loop's thread gives way to a visitor before it sleeps until that has left. */
    private static final int MOST_GIVEN_WAY = 64;

    /** A lend of which so many requests have made use was right, however it ended. */
    private static final int WORTHWHILE = 64;

    private final ReentrantLock turning = new ReentrantLock();
    private final IoHandlerContext brief = new Context(NAP_NS);
    private final IoHandlerContext atOnce = new Context(0);
    private final AtomicReference<Thread> turner =
            new AtomicReference<>(); // without fences: a thread sees what it wrote last, or what came after
    private Thread own; // known before the loop is lent
    private volatile boolean lent;
    private volatile boolean claimed;
    private volatile boolean wanted; // by a thread that waits
    private volatile boolean givesWay; // its thread, for a moment, so that visitors may come in
    private volatile Thread sender;
    private volatile boolean disturbed; // by another sender or an unawaited request since the loop's thread looked
    private final Traffic traffic = new Traffic();

    /** For who is inside. An object of its own, as it changes with each request, beside which callers would read slowly. */
    private static final class Traffic {
        private int inFlight;
        private int alone; // requests in a row that nothing overlapped
        private int needed = LEAST_NEEDED; // so many, before the loop is lent
        private long turns; // by borrowers
        private int visits; // that sent or took something
        private boolean isVisited;
    }

    SharedEventLoop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory handlers, SpinThenWait waiting) {
        super(parent, executor, handlers, waiting);
        waiting.giveWayBy(this::giveWay);
    }

    /** The loop of a channel, or null if it is none of these. */
    public static SharedEventLoop of(EventLoop loop) {
        return loop instanceof SharedEventLoop shared ? shared : null;
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return thread == turner.getOpaque();
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
            if (wanted && traffic.inFlight == 0) {
                wanted = false;
                if (isWorthLending()) {
                    lend();
                }
            }
            isEnding = isShuttingDown(); // asked before it sleeps: a borrower may have taken what would wake it
            if (isEnding) {
                lookAround();
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
            traffic.alone = 0;
        }
        return traffic.alone >= traffic.needed;
    }

    /** Lets callers turn the loop until it is to be taken back. */
    private void lend() {
        claimed = false;
        lent = true;
        if (!disturbed && !hasTasks()) {
            long before = traffic.turns;
            boolean isForgotten;
            long seen;
            do {
                seen = traffic.turns;
                leave();
                awaitTurn();
                isForgotten = !isClaimed() && takesForgotten();
            } while (!isForgotten && !isClaimed() && traffic.turns != seen);
            learn(isForgotten || (seen == before && !isClaimed()), traffic.turns - before);
        }
        lent = false;
        claimed = false;
    }

    /** Sleeps a while, and longer while the loop is being turned; then comes in. */
    private void awaitTurn() {
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
        int before = traffic.inFlight;
        lookAround();
        return traffic.inFlight < before;
    }

    /** Takes what has come for nobody. */
    private void lookAround() {
        look(atOnce);
        runAllTasks(TASKS_LIMIT_NS);
    }

    /** Lends more readily after that was of use, and less readily after somebody did not wait for an answer, or nobody came. */
    private void learn(boolean isDisappointed, long used) {
        int needed = traffic.needed;
        if (used >= WORTHWHILE) {
            traffic.needed = Math.max(LEAST_NEEDED, needed / 2);
        } else if (isDisappointed) {
            traffic.alone = 0;
            traffic.needed = Math.min(MOST_NEEDED, 2 * needed);
        }
    }

    private void enter() {
        turning.lock();
        turner.setOpaque(Thread.currentThread());
    }

    private boolean tryEnter() {
        boolean isInside = !inEventLoop() && turning.tryLock();
        if (isInside) {
            turner.setOpaque(Thread.currentThread());
        }
        return isInside;
    }

    private void leave() {
        turner.setOpaque(null);
        turning.unlock();
    }

    /** Takes the loop back from borrowers: nobody is going to wait for what is in flight. */
    public void claim() {
        if (lent && !claimed) {
            claimed = true;
            LockSupport.unpark(own);
            wakeup(false); // who turns the loop now
        }
    }

    @Override
    public void execute(Runnable task) {
        super.execute(task);
        if (lent && !inEventLoop()) {
            LockSupport.unpark(own); // if nobody turns the loop
        }
    }

    /** Counts requests that somebody may wait for: that are to be answered, or have been, or never will be. For who turns the loop. */
    public void count(int delta) {
        traffic.inFlight += delta;
        if (traffic.inFlight > 1) {
            traffic.alone = 0; // whose requests overlap need not have the loop
        } else if (traffic.inFlight == 0 && traffic.alone < MOST_NEEDED) {
            traffic.alone++;
        }
    }

    /**
     * Says that a request leaves over a channel, and has been counted; for who turns the loop.
     *
     * @param isShort whether the answer probably comes in one piece
     */
    public void asked(Channel channel, boolean isShort) {
        waiting.expectFrom(isShort && traffic.inFlight == 1 ? channel : null);
    }

    /**
     * To be called when a request has been put where who turns the loop finds it.
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

    /** Gives the processor away; if it is the loop's thread that does, visitors may come in meanwhile. How many sent or took something. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
    int giveWay() {
        if (Thread.currentThread() != own) {
            Thread.yield();
            return 0;
        }
        int before = traffic.visits;
        givesWay = true;
        leave();
        Thread.yield();
        givesWay = false;
        for (int i = 0; i < MOST_GIVEN_WAY && !tryEnter(); i++) {
            Thread.yield();
        }
        if (!inEventLoop()) {
            enter();
        }
        return traffic.visits - before;
    }

    /**
     * Takes what has come through memory, if nobody is inside as the loop's thread has given the processor away. For a thread that waits for an answer, and will try again.
     */
    public void visit() {
        if (!givesWay || !tryEnter()) {
            return;
        }
        traffic.isVisited = true;
        try {
            if (givesWay && waiting.takeFromMemoryIfReady()) { // the loop may have been lent before this thread came in
                traffic.visits++;
            }
        } finally {
            traffic.isVisited = false;
            giveBack(false);
        }
    }

    /** Whether who is inside only visits, and must leave it to the loop's thread to end what others have asked for. For who is inside. */
    public boolean isVisited() {
        return traffic.isVisited;
    }

    /**
     * Runs a task that sends requests here and now, if nobody turns the loop; whether it did.
     *
     * @param isQuick whether the task hardly ever calls the system, so that it may run, beside a loop that is lent, also while the loop's thread gives the processor away
     */
    public boolean runHere(Runnable task, boolean isQuick) {
        if (!isOpen(isQuick) || !tryEnter()) {
            return false;
        }
        boolean isStillOpen = isOpen(isQuick);
        if (isStillOpen) {
            traffic.visits++;
            traffic.isVisited = true;
            safeExecute(task);
            traffic.isVisited = false;
        }
        giveBack(traffic.inFlight > 1);
        return isStillOpen;
    }

    private boolean isOpen(boolean isQuick) {
        return (lent && !claimed) || (isQuick && givesWay);
    }

    /**
     * Turns the loop until {@code awaited} is done, or others shall do that, which they do without being asked.
     *
     * @param limitNs when to stop at the latest; if it is short, the loop is left to its thread
     */
    public void advance(Future<?> awaited, long limitNs) {
        if (!lent || claimed) {
            if (!wanted) {
                wanted = true;
            }
            return;
        }
        if (limitNs < NAP_NS || sender != Thread.currentThread() || !tryEnter()) {
            claim(); // nobody may turn the loop after who does now
            wanted = true;
            return;
        }
        if (!lent) { // taken back meanwhile, and its thread gives way
            leave();
            wanted = true;
            return;
        }
        try {
            traffic.turns++;
            turn(awaited, limitNs);
        } finally {
            giveBack(traffic.inFlight > 0);
        }
    }

    private void turn(Future<?> awaited, long limitNs) {
        if (awaited.isDone() || isClaimed()) {
            return;
        }
        long turnNs = Math.min(limitNs, LONGEST_TURN_NS);
        long startNs = waiting.expectAnswer();
        if (hasTasks()) {
            runAllTasks(TASKS_LIMIT_NS); // the answer may be there, and no turn follow
        }
        while (!awaited.isDone()
                && !isClaimed()
                && traffic.inFlight == 1
                && System.nanoTime() - startNs <= turnNs
                && !Thread.currentThread().isInterrupted()) {
            look(brief);
            runAllTasks(TASKS_LIMIT_NS);
        }
    }

    /** Leaves; if the loop's thread is needed it takes over. */
    private void giveBack(boolean isOwnNeeded) {
        leave();
        if (isOwnNeeded) {
            claim();
        } else if (pendingTasks() > 0) {
            LockSupport.unpark(own); // it may have looked while the loop was turned
        }
    }

    /** How long a turn of the loop may sleep. */
    private final class Context implements IoHandlerContext {
        private final long longestNs;

        Context(long longestNs) {
            this.longestNs = longestNs;
        }

        @Override
        public boolean canBlock() {
            return longestNs > 0 && traffic.inFlight == 1 && !claimed && !hasTasks() && !hasScheduledTasks();
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What threads do while they wait for something that comes soon, before they sleep. Each wait goes through these
 * states.
 *
 * <table>
 *   <caption>States of a wait</caption>
 *   <tr><th>state</th><th>after each look in vain the thread</th><th>goes to</th><th>when</th></tr>
 *   <tr><td>SPINNING</td><td>tells the processor that it spins</td><td>YIELDING</td><td>after {@link
 * #SPIN_NS}</td></tr>
 *   <tr><td>YIELDING</td><td>lets other threads run</td><td>PARKED</td><td>after {@link #YIELDS} looks, or a late
 * return</td></tr>
 *   <tr><td>PARKED</td><td>sleeps until it is woken</td><td></td><td></td></tr>
 * </table>
 *
 * <p>SPINNING pays where the peer has a processor of its own. It lasts as long as two changes of threads take, so it
 * costs at most twice as much as the best choice (Karlin et al., "Empirical Studies of Competitive Spinning for a
 * Shared-Memory Multiprocessor", SOSP 1991). After a wait that spun in vain the next one skips SPINNING, and after each
 * further one twice as many, up to {@link #MOST_SKIPPED}. Success forgets that.
 *
 * <p>YIELDING pays where threads take turns. A thread that yields beside a busy program gets the processor back {@link
 * #LATE_NS} later, or more; a thread that is woken gets it sooner. After a late return waits skip YIELDING for as long
 * as that took, and for twice as long each time this happens again, up to {@link #MOST_QUIET_NS}. A return in time
 * forgets that. Thread safe; one strategy is shared by all who wait for the same peer.
 */
public final class IdleStrategy {
    /** How long a wait spins: two changes of threads took 1 to 2 us on the machines where that was measured. */
    static final long SPIN_NS = 3_000;

    /** So many waits at most skip SPINNING after one that spun in vain. */
    static final int MOST_SKIPPED = 127;

    /** Looks of a wait that yield. */
    static final int YIELDS = 100;

    /** A yield that takes longer gave the processor to a busy program. */
    static final long LATE_NS = 1_000_000;

    /** For so many times as long as the last late yield took waits skip YIELDING at most. */
    static final int MOST_CAUTION = 128;

    /** The longest time without YIELDING: the whole process may have been stopped meanwhile. */
    static final long MOST_QUIET_NS = 1_000_000_000;

    private final Kind kind;
    private final LongSupplier clockNs;

    // Of two changes at the same time one may be lost, which does not matter.
    private volatile int skips;
    private volatile int lastSkips;
    private volatile long quietUntilNs;
    private volatile int caution = 1;

    /** The strategies that a user can choose. */
    public enum Kind {
        /** Spins, yields, then sleeps, and leaves out what has not paid. */
        BACKOFF(SPIN_NS, YIELDS),
        /** Spins for ever: for a processor of its own for each thread that waits. */
        BUSY_SPIN(Long.MAX_VALUE, 0),
        /** Yields for ever. */
        YIELDING(0, Integer.MAX_VALUE),
        /** Sleeps at once. */
        SLEEPING(0, 0);

        private final long spinNs;
        private final int yields;

        Kind(long spinNs, int yields) {
            this.spinNs = spinNs;
            this.yields = yields;
        }

        /** What a value of crail.idlestrategy says. */
        public static Kind of(String value) {
            return switch (value) {
                case "busyspin" -> BUSY_SPIN;
                case "yielding" -> YIELDING;
                case "sleeping" -> SLEEPING;
                default -> BACKOFF;
            };
        }
    }

    /** What a thread that waits is doing. */
    public enum State {
        SPINNING,
        YIELDING,
        PARKED
    }

    /** Makes a strategy. */
    public IdleStrategy(Kind kind) {
        this(kind, System::nanoTime);
    }

    /** Makes a strategy that measures by another clock than {@link System#nanoTime}. */
    public IdleStrategy(Kind kind, LongSupplier clockNs) {
        this.kind = kind;
        this.clockNs = clockNs;
        this.quietUntilNs = clockNs.getAsLong();
    }

    /** Begins a wait of the calling thread. */
    public Wait begin() {
        return new Wait();
    }

    /**
     * Waits until something has come, or the thread had better sleep. Returns whether it has come.
     *
     * @param limitNs when to return at the latest, for a strategy that does not sleep by itself
     */
    public boolean await(BooleanSupplier hasCome, long limitNs) {
        if (hasCome.getAsBoolean()) {
            return true;
        }
        Wait wait = new Wait();
        long startNs = mayAdapt() ? 0 : clockNs.getAsLong();
        while (wait.idle() != State.PARKED) {
            if (!mayAdapt()
                    && (clockNs.getAsLong() - startNs >= limitNs
                            || Thread.currentThread().isInterrupted())) {
                return false;
            }
            if (hasCome.getAsBoolean()) {
                wait.end();
                return true;
            }
        }
        return false;
    }

    /** So many waits that come next do not spin. */
    int skips() {
        return skips;
    }

    private boolean mayAdapt() {
        return kind == Kind.BACKOFF;
    }

    private boolean skipsSpinning() {
        int left = skips;
        if (left > 0) {
            skips = left - 1;
        }
        return left > 0;
    }

    private void learnFromSpins(boolean cameInTime) {
        if (cameInTime) {
            if (lastSkips != 0) {
                lastSkips = 0;
                skips = 0;
            }
        } else if (skips == 0) { // or another one has learnt it at the same time
            lastSkips = Math.min(MOST_SKIPPED, 2 * lastSkips + 1);
            skips = lastSkips;
        }
    }

    private boolean skipsYielding() {
        return mayAdapt() && clockNs.getAsLong() - quietUntilNs < 0;
    }

    /** Late returns of one time count once, as one busy program makes all threads late. */
    private void learnFromYield(long beforeNs, long nowNs) {
        int before = caution;
        long tookNs = nowNs - beforeNs;
        if (tookNs < LATE_NS) {
            if (before > 1) {
                caution = 1;
            }
        } else if (beforeNs - quietUntilNs >= 0) {
            quietUntilNs = nowNs + Math.min(MOST_QUIET_NS, before * tookNs);
            caution = Math.min(MOST_CAUTION, 2 * before);
        }
    }

    /** The waits of one thread, one after the other. Not thread safe. */
    public final class Wait {
        private State state;
        private long spinsSinceNs;
        private int looks;

        private Wait() {
            begin();
        }

        private void begin() {
            looks = 0;
            state = kind.spinNs > 0 && !skipsSpinning() ? State.SPINNING : afterSpinning();
        }

        State state() {
            return state;
        }

        private State afterSpinning() {
            return kind.yields > 0 && !skipsYielding() ? State.YIELDING : State.PARKED;
        }

        /** What the thread waited for has come. */
        public void end() {
            if (state == State.SPINNING && looks > 0 && mayAdapt()) {
                learnFromSpins(true);
            }
        }

        /** What the thread waited for has come; the next wait begins. */
        public void reset() {
            end();
            begin();
        }

        /**
         * Spins or yields once after a look in vain. Returns the state; the thread sleeps if that is {@link
         * State#PARKED}.
         */
        public State idle() {
            switch (state) {
                case SPINNING -> spin();
                case YIELDING -> yieldOnce();
                case PARKED -> {}
            }
            return state;
        }

        private void spin() {
            Thread.onSpinWait();
            if (!mayAdapt()) {
                return;
            }
            long nowNs = clockNs.getAsLong();
            looks++;
            if (looks == 1) {
                spinsSinceNs = nowNs;
            } else if (nowNs - spinsSinceNs >= SPIN_NS) {
                looks = 0;
                learnFromSpins(false);
                state = afterSpinning();
            }
        }

        @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
        private void yieldOnce() {
            if (!mayAdapt()) {
                Thread.yield();
                return;
            }
            long beforeNs = clockNs.getAsLong();
            Thread.yield();
            long nowNs = clockNs.getAsLong();
            learnFromYield(beforeNs, nowNs);
            looks++;
            if (looks == kind.yields || nowNs - beforeNs >= LATE_NS) {
                state = State.PARKED;
            }
        }
    }
}

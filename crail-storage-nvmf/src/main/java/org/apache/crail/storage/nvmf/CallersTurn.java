/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Who of the callers that wait for transfers of a connection takes its completions: one at a time, for a while, and
 * seldom if that has not helped lately. Thread safe; {@link #look} and {@link #end} are for who has begun.
 */
final class CallersTurn {
    /** Some times what flash takes for a short read. A caller that waits for longer sleeps. */
    private static final long LIMIT_NS = 1_000_000;

    /**
     * After so many looks in vain, one at the clock, and the processor to who wants it: either may cost more than a
     * look.
     */
    private static final int LOOKS_AT_ONCE = 64;

    private static final int MOST_PASSES = 63;

    /** Otherwise what they wait for has to happen on the processor that they look with. */
    static final boolean CAN_LOOK = Runtime.getRuntime().availableProcessors() > 1;

    private final AtomicReference<Thread> holder = new AtomicReference<>();
    private final AtomicInteger passes = new AtomicInteger(); // turns to be let pass
    private volatile boolean othersWait; // for what the holder may not take, or for the turn
    private int penalty; // for who has the turn

    /** Begins a turn, unless another thread has it, or this one is to be let pass. */
    boolean begin() {
        if (!CAN_LOOK) {
            return false;
        }
        if (passes.get() > 0) {
            passes.decrementAndGet(); // one too few does no harm
            return false;
        }
        return holder.compareAndSet(null, Thread.currentThread());
    }

    /**
     * Takes completions until the future is done, or nothing is to be taken any more, or the time is over, or the
     * thread is interrupted.
     *
     * @param goesOn whether something is to be taken
     * @param take takes what there is; answers how many
     * @return whether a turn's time was not enough
     */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
    boolean look(Future<?> awaited, long limitNs, BooleanSupplier goesOn, IntSupplier take) {
        long startNs = 0;
        for (int looks = 1; !awaited.isDone() && goesOn.getAsBoolean(); looks++) {
            if (take.getAsInt() > 0) {
                continue;
            }
            if (looks % LOOKS_AT_ONCE == 0) {
                long nowNs = System.nanoTime();
                startNs = startNs == 0 ? nowNs : startNs;
                if (nowNs - startNs >= LIMIT_NS) {
                    return true;
                }
                if (nowNs - startNs >= limitNs || Thread.currentThread().isInterrupted()) {
                    return false;
                }
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
        return false;
    }

    /** Ends the turn; answers whether others are left without one. */
    boolean end(boolean wasTooShort) {
        penalty = wasTooShort ? Math.min(MOST_PASSES, 2 * penalty + 1) : 0;
        passes.set(penalty);
        boolean doOthersWait = othersWait;
        if (doOthersWait) {
            othersWait = false;
        }
        holder.set(null);
        return doOthersWait || othersWait; // who notes that later sees that nobody, or somebody else, has the turn
    }

    /** Who has the turn, or null. */
    Thread holder() {
        return holder.get();
    }

    /** Has {@link #end} tell who has the turn that others wait; false if nobody has it. */
    boolean noteOthers() {
        if (holder.get() == null) {
            return false;
        }
        othersWait = true;
        return holder.get() != null; // otherwise its end may not have seen that
    }
}

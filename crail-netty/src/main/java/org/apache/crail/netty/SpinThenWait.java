/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.Channel;
import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Lets an event loop look for events a short while before it sleeps, since waking up takes longer than a small message
 * does. It looks only if the last pause was a short one, whether the loop looked or slept in it, so a loop whose events are
 * further apart sleeps at once, and lets every thread that wants the processor go first. Where such a thread keeps the
 * processor, a loop that sleeps gets it back sooner than one that looks; so then the loop does not look for some time, and for
 * longer if that happens again. What it looks at first is told by {@link PolledInputs} and {@link EagerRead}. Confined to who is inside the event loop.
 */
final class SpinThenWait implements SelectStrategy {
    /** How the loop gives the processor away while it looks. */
    interface Way {
        /** Gives it away; how many threads had it that wait for what the loop brings. */
        int give();
    }

    /** The longest short pause: some round trips, as who asks two servers in turn lets one wait while the other answers. */
    static final long LIMIT_NS = 200_000;

    /**
     * If the processor comes back later than this, a busy thread had it, until the kernel took it away after some milliseconds, and not threads that
     * each handle a message and give it on: 64 callers whose messages go through memory take less in turn.
     */
    static final long KEPT_NS = 1_000_000;

    /** So much later for each time that one of those who wait for what this loop brings has sent or taken something. */
    static final long KEPT_BY_VISITOR_NS = 200_000;

    /** For so many times as long as a busy thread has kept the processor the loop does not look, at first. */
    static final int LEAST_CAUTION = 1;

    /** The same if it happens again and again. */
    static final int MOST_CAUTION = 128;

    /** The longest time without looking: the whole process may have been stopped meanwhile. */
    static final long LONGEST_QUIET_NS = 1_000_000_000;

    private final LongSupplier clockNs;
    private Way way = SpinThenWait::yieldToAll;
    private final EagerRead eagerRead = new EagerRead();
    private final PolledInputs inputs = new PolledInputs();
    private boolean idle;
    private long idleSinceNs;
    private boolean slept; // the pause ends when the sleep does
    private boolean lastPauseWasShort;
    private long quietUntilNs;
    private int caution = LEAST_CAUTION;
    private boolean looksEagerly;

    SpinThenWait() {
        this(System::nanoTime);
    }

    SpinThenWait(LongSupplier clockNs) {
        this.clockNs = clockNs;
        this.quietUntilNs = clockNs.getAsLong();
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
    private static int yieldToAll() {
        Thread.yield();
        return 0;
    }

    /** Chooses another way than to yield; before the loop runs. */
    void giveWayBy(Way chosen) {
        way = chosen;
    }

    /** Takes what has come through memory, for a thread that is inside between two looks of the loop; whether there was anything. */
    boolean takeFromMemoryIfReady() {
        boolean isReady = inputs.areReady();
        if (isReady) {
            takeFromMemory(clockNs.getAsLong());
        }
        return isReady;
    }

    /** Bytes of this channel came, by one read. */
    void heardFrom(Channel channel, int bytes) {
        eagerRead.heardFrom(channel, bytes);
        if (looksEagerly) {
            endPause(true); // before the bytes are handled
        }
    }

    /** The only answer that is owed, a short one, is to come from this channel; null if there are others, or a long one. */
    void expectFrom(Channel channel) {
        eagerRead.expect(inputs.expect(channel) ? null : channel);
    }

    /** What the loop looks for in memory. */
    PolledInputs inputs() {
        return inputs;
    }

    /**
     * Somebody waits for an answer now: it is looked for, however long the last one took. It is probably not there yet, so that this pause begins
     * without a look: others have the processor first, of whom one may be about to answer, and what
     * came through memory meanwhile is taken.
     *
     * @return when that was, in nanoseconds of {@link System#nanoTime}
     */
    long expectAnswer() {
        long nowNs = clockNs.getAsLong();
        lastPauseWasShort = true;
        slept = false;
        idle = nowNs - quietUntilNs >= 0;
        if (idle) {
            idleSinceNs = nowNs;
            offerProcessor(nowNs);
        }
        return nowNs;
    }

    @Override
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        boolean looksInMemoryOnly = inputs.beginLook() && !hasTasks;
        if (inputs.areReady()) {
            takeFromMemory(clockNs.getAsLong());
            if (looksInMemoryOnly) {
                return CONTINUE;
            }
        }
        boolean isEager = idle && !hasTasks && !looksInMemoryOnly && eagerRead.beginLook();
        if (isEager && hasHeardEagerly()) {
            return CONTINUE;
        }
        int ready = isEager || looksInMemoryOnly ? 0 : selectNow.get();
        if (ready > 0) {
            inputs.forget();
        }
        boolean isBusy = ready > 0 || hasTasks;
        if (isBusy || slept) {
            endPause(ready > 0);
        }
        if (isBusy) {
            return ready;
        }
        long nowNs = clockNs.getAsLong();
        if (!idle) {
            idle = true;
            idleSinceNs = nowNs;
        }
        slept = !lastPauseWasShort || nowNs - idleSinceNs > LIMIT_NS || nowNs - quietUntilNs < 0;
        if (slept) {
            slept = inputs.fallAsleep();
            return slept ? SELECT : CONTINUE;
        }
        offerProcessor(nowNs);
        return CONTINUE;
    }

    private void takeFromMemory(long nowNs) {
        endPause(true, nowNs); // before what has come is handled
        eagerRead.expect(null);
        inputs.take();
    }

    private boolean hasHeardEagerly() {
        looksEagerly = true;
        boolean hasHeard = eagerRead.look();
        looksEagerly = false;
        return hasHeard;
    }

    private void offerProcessor(long nowNs) {
        int visits = way.give();
        long backNs = clockNs.getAsLong();
        long keptNs = backNs - nowNs;
        if (keptNs > KEPT_NS + visits * KEPT_BY_VISITOR_NS) {
            quietUntilNs = backNs + Math.min(LONGEST_QUIET_NS, caution * keptNs);
            caution = Math.min(MOST_CAUTION, 2 * caution);
        }
        if (visits == 0 && inputs.areReady()) { // saves a turn of the loop, which visitors may have left tasks
            takeFromMemory(backNs);
        }
    }

    private void endPause(boolean hasFoundEvents) {
        endPause(hasFoundEvents, idle ? clockNs.getAsLong() : 0);
    }

    private void endPause(boolean hasFoundEvents, long nowNs) {
        if (idle) {
            idle = false;
            long pauseNs = nowNs - idleSinceNs;
            lastPauseWasShort = pauseNs <= LIMIT_NS;
            if (pauseNs <= KEPT_NS && hasFoundEvents && !slept) {
                caution = LEAST_CAUTION; // looking was right
            }
        }
        slept = false;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.internal.IdleStrategy.Kind;
import org.apache.crail.internal.IdleStrategy.State;
import org.apache.crail.internal.IdleStrategy.Wait;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdleStrategyTest {
    private static final int MANY = 10_000;
    private static final long STEP_NS = 100;
    private static final long LATE_NS = IdleStrategy.LATE_NS;

    private long nowNs = 1;
    private long stepNs = STEP_NS;
    private final IdleStrategy strategy = new IdleStrategy(Kind.BACKOFF, this::clock);

    /** Asked after each spin, and before and after each yield. */
    private long clock() {
        nowNs += stepNs;
        return nowNs;
    }

    /** How many looks a wait in vain takes in each state. */
    private static Map<State, Integer> looksOf(Wait wait) {
        Map<State, Integer> looks = new EnumMap<>(State.class);
        for (State state = wait.idle(); state != State.PARKED; state = wait.idle()) {
            assertThat(looks.merge(state, 1, Integer::sum)).isLessThan(MANY);
        }
        return looks;
    }

    private Map<State, Integer> waitInVain() {
        return looksOf(strategy.begin());
    }

    private boolean spins() {
        return waitInVain().containsKey(State.SPINNING);
    }

    private boolean yields() {
        return waitInVain().containsKey(State.YIELDING);
    }

    private void spinInVain(int times) {
        for (int i = 0; i < times; i++) {
            skipSpinning();
            assertThat(spins()).isTrue();
        }
    }

    private int skipSpinning() {
        int skipped = 0;
        while (strategy.skips() > 0) {
            assertThat(spins()).isFalse();
            skipped++;
        }
        return skipped;
    }

    /** The processor comes back late from the first yield of a wait. */
    private void yieldLate(long tookNs) {
        Wait wait = strategy.begin();
        while (wait.state() != State.YIELDING) {
            assertThat(wait.idle()).isNotEqualTo(State.PARKED);
        }
        stepNs = tookNs;
        assertThat(wait.idle()).isEqualTo(State.PARKED);
        stepNs = STEP_NS;
    }

    @Test
    void shouldSpinThenYieldThenSleep() {
        Wait wait = strategy.begin();

        assertThat(looksOf(wait))
                .containsEntry(State.SPINNING, (int) (IdleStrategy.SPIN_NS / STEP_NS))
                .containsEntry(State.YIELDING, IdleStrategy.YIELDS);
        assertThat(wait.idle()).as("until it is reset").isEqualTo(State.PARKED);
    }

    @Test
    void shouldBeginAnewWhenSomethingHasCome() {
        Wait wait = strategy.begin();
        wait.idle();

        wait.reset();

        assertThat(wait.idle()).isEqualTo(State.SPINNING);
    }

    @Test
    void shouldNotSpinOnceAfterAWaitThatDidInVain() {
        spinInVain(1);

        assertThat(skipSpinning()).isOne();
        assertThat(spins()).isTrue();
    }

    @Test
    void shouldSkipTwiceAsManyAndOneMoreEachTime() {
        for (int skipped = 1; skipped < IdleStrategy.MOST_SKIPPED; skipped = 2 * skipped + 1) {
            assertThat(spins()).isTrue();
            assertThat(skipSpinning()).isEqualTo(skipped);
        }
    }

    @Test
    void shouldSkipABoundedNumber() {
        spinInVain(12);

        assertThat(skipSpinning()).isEqualTo(IdleStrategy.MOST_SKIPPED);
    }

    @Test
    void shouldForgetThatWhenASpinWasOfUse() {
        spinInVain(5);
        skipSpinning();
        AtomicInteger looks = new AtomicInteger();
        assertThat(strategy.await(() -> looks.incrementAndGet() == 3, Long.MAX_VALUE))
                .isTrue();

        spinInVain(1);

        assertThat(skipSpinning()).isOne();
    }

    @Test
    void shouldLearnNothingFromWhatWasThereAtOnce() {
        spinInVain(5);
        skipSpinning();
        assertThat(strategy.await(() -> true, Long.MAX_VALUE)).isTrue();

        spinInVain(1);

        assertThat(skipSpinning()).isEqualTo(63);
    }

    @Test
    void shouldNotYieldForAsLongAsALateYieldTook() {
        yieldLate(LATE_NS);
        long untilNs = nowNs + LATE_NS;

        assertThat(yields()).isFalse();
        nowNs = untilNs;
        assertThat(yields()).isTrue();
    }

    @Test
    void shouldNotYieldForTwiceAsLongWhenThatHappensAgain() {
        yieldLate(LATE_NS);
        nowNs += LATE_NS;
        yieldLate(LATE_NS);

        nowNs += LATE_NS;
        assertThat(yields()).isFalse();
        nowNs += LATE_NS;
        assertThat(yields()).isTrue();
    }

    @Test
    void shouldYieldAgainAfterABoundedTime() {
        for (int i = 0; i < 12; i++) {
            yieldLate(10 * LATE_NS);
            nowNs += IdleStrategy.MOST_QUIET_NS;
        }

        assertThat(yields()).isTrue();
    }

    @Test
    void shouldForgetThatAfterAReturnInTime() {
        yieldLate(LATE_NS);
        nowNs += LATE_NS;
        assertThat(yields()).isTrue();
        yieldLate(LATE_NS);

        nowNs += LATE_NS;

        assertThat(yields()).isTrue();
    }

    /** One busy program makes all threads late that yield at the time. */
    @Test
    void shouldCountLateReturnsOfOneTimeOnce() {
        Wait one = strategy.begin();
        Wait other = strategy.begin();
        while (one.state() != State.YIELDING || other.state() != State.YIELDING) {
            one.idle();
            other.idle();
        }

        stepNs = LATE_NS;
        one.idle();
        nowNs -= 2 * LATE_NS; // the other one yielded at the same time
        other.idle();
        stepNs = STEP_NS;

        nowNs += LATE_NS;
        assertThat(yields()).isTrue();
    }

    @Test
    void shouldSayWhetherSomethingHasCome() {
        AtomicInteger looks = new AtomicInteger();

        assertThat(strategy.await(() -> looks.incrementAndGet() == 50, Long.MAX_VALUE))
                .isTrue();
        assertThat(strategy.await(() -> false, Long.MAX_VALUE)).isFalse();
    }

    @Test
    void shouldSleepAtOnceIfTheUserWantsThat() {
        AtomicInteger looks = new AtomicInteger();

        assertThat(new IdleStrategy(Kind.SLEEPING).await(() -> looks.incrementAndGet() == 2, Long.MAX_VALUE))
                .isFalse();
        assertThat(looks).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"BUSY_SPIN", "YIELDING"})
    void shouldNeverSleepIfTheUserWantsThat(Kind kind) {
        AtomicInteger looks = new AtomicInteger();

        assertThat(new IdleStrategy(kind).await(() -> looks.incrementAndGet() == MANY, Long.MAX_VALUE))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"BUSY_SPIN", "YIELDING"})
    void shouldEndAtTheLimitOrWhenInterrupted(Kind kind) {
        IdleStrategy endless = new IdleStrategy(kind, this::clock);

        assertThat(endless.await(() -> false, MANY * STEP_NS)).isFalse();
        Thread.currentThread().interrupt();
        assertThat(endless.await(() -> false, Long.MAX_VALUE)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}

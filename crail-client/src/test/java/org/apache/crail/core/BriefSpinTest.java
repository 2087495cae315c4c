/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BriefSpinTest {
    private static final long LOOK_NS = 100;

    private final AtomicLong nowNs = new AtomicLong();
    private final BriefSpin spin = new BriefSpin(nowNs::get);

    @Test
    void shouldLookUntilTheAnswerHasCome() {
        assertThat(looksUntil(5)).isEqualTo(5);
    }

    @Test
    void shouldGiveUpAfterItsLimit() {
        assertThat(looksInVain()).isEqualTo(2 + (int) (BriefSpin.LIMIT_NS / LOOK_NS));
    }

    @Test
    void shouldTryLessOftenEachTimeItWasInVain() {
        for (int skips = 1; skips < BriefSpin.MOST_SKIPPED; skips = 2 * skips + 1) {
            assertThat(looksInVain()).as("before %d skips", skips).isGreaterThan(1);
            assertThatSoManyLookOnce(skips);
        }
    }

    @Test
    void shouldNeverStopToTry() {
        for (int i = 0; i < 100; i++) {
            waitInVainUntilItTries();
        }
        assertThatSoManyLookOnce(BriefSpin.MOST_SKIPPED);
        assertThat(looksInVain()).isGreaterThan(1);
    }

    @Test
    void shouldForgetWhatWasInVainWhenAnAnswerComesInTime() {
        for (int i = 0; i < 3; i++) {
            waitInVainUntilItTries();
        }
        assertThatSoManyLookOnce(7);
        assertThat(looksUntil(5)).isEqualTo(5);
        assertThat(looksInVain()).isGreaterThan(1);
        assertThatSoManyLookOnce(1);
        assertThat(looksInVain()).isGreaterThan(1);
    }

    @Test
    void shouldCountAnAnswerAsLateThatCameWhileTheThreadWasStopped() {
        AtomicInteger looks = new AtomicInteger();
        boolean isHere = spin.until(() -> {
            if (looks.getAndIncrement() == 1) {
                nowNs.addAndGet(BriefSpin.LIMIT_NS);
            }
            return looks.get() == 3;
        });
        assertThat(isHere).isTrue();
        assertThat(looks).hasValue(3);
        assertThatSoManyLookOnce(1);
    }

    @Test
    void shouldNotCountAnAnswerThatIsThereAlready() {
        looksInVain();
        assertThat(looksUntil(1)).isEqualTo(1);
        assertThatSoManyLookOnce(1);
        assertThat(looksInVain()).isGreaterThan(1);
        assertThatSoManyLookOnce(3);
    }

    @Test
    void shouldCountSeveralThatWereInVainAtTheSameTimeAsOne() {
        spinWhileAnotherIsInVain(false);
        assertThatSoManyLookOnce(1);
        assertThat(looksInVain()).isGreaterThan(1);
    }

    @Test
    void shouldTryAgainAtOnceAfterAnAnswerThatCameInTimeWhileAnotherWasInVain() {
        spinWhileAnotherIsInVain(true);
        assertThat(looksInVain()).isGreaterThan(1);
    }

    private void spinWhileAnotherIsInVain(boolean thisGetsItsAnswer) {
        AtomicInteger looks = new AtomicInteger();
        boolean isHere = spin.until(() -> {
            boolean isFirstOfSpin = looks.getAndIncrement() == 1;
            if (isFirstOfSpin) {
                looksInVain();
            }
            return isFirstOfSpin && thisGetsItsAnswer;
        });
        assertThat(isHere).isEqualTo(thisGetsItsAnswer);
    }

    private void waitInVainUntilItTries() {
        for (int i = 0; i <= BriefSpin.MOST_SKIPPED; i++) {
            if (looksInVain() > 1) {
                return;
            }
        }
        throw new AssertionError("never tries again");
    }

    private void assertThatSoManyLookOnce(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(looksInVain()).as("wait %d of %d", i + 1, count).isEqualTo(1);
        }
    }

    private int looksInVain() {
        return looksUntil(Integer.MAX_VALUE);
    }

    /** How often somebody looks for an answer that is there at look {@code hasCome}. */
    private int looksUntil(int hasCome) {
        AtomicInteger looks = new AtomicInteger();
        spin.until(() -> {
            nowNs.addAndGet(LOOK_NS);
            return looks.incrementAndGet() >= hasCome;
        });
        return looks.get();
    }
}

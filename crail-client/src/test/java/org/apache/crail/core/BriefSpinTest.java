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
        assertThat(looksInVain()).isEqualTo(1 + (int) (BriefSpin.LIMIT_NS / LOOK_NS));
    }

    @Test
    void shouldGiveUpByRealTime() {
        AtomicInteger looks = new AtomicInteger();
        new BriefSpin(System::nanoTime).until(() -> looks.incrementAndGet() < 0);
        assertThat(looks).hasPositiveValue();
    }

    @Test
    void shouldTryLessOftenEachTimeItWasInVain() {
        for (int skips = 1; skips < BriefSpin.MOST_SKIPPED; skips = 2 * skips + 1) {
            assertThat(looksInVain()).as("before %d skips", skips).isPositive();
            assertThatSoManyDoNotLook(skips);
        }
    }

    @Test
    void shouldNeverStopToTry() {
        for (int i = 0; i < 100; i++) {
            waitInVainUntilItTries();
        }
        assertThatSoManyDoNotLook(BriefSpin.MOST_SKIPPED);
        assertThat(looksInVain()).isPositive();
    }

    @Test
    void shouldForgetWhatWasInVainWhenAnAnswerComesInTime() {
        for (int i = 0; i < 3; i++) {
            waitInVainUntilItTries();
        }
        assertThatSoManyDoNotLook(7);
        assertThat(looksUntil(5)).isEqualTo(5);
        assertThat(looksInVain()).isPositive();
        assertThatSoManyDoNotLook(1);
        assertThat(looksInVain()).isPositive();
    }

    @Test
    void shouldCountAnAnswerAsLateThatCameWhileTheThreadWasStopped() {
        AtomicInteger looks = new AtomicInteger();
        spin.until(() -> {
            boolean isFirst = looks.getAndIncrement() == 0;
            nowNs.addAndGet(isFirst ? 0 : BriefSpin.LIMIT_NS);
            return !isFirst;
        });
        assertThat(looks).hasValue(2);
        assertThatSoManyDoNotLook(1);
    }

    @Test
    void shouldNotCountAnAnswerThatIsThereAlready() {
        looksInVain();
        assertThatSoManyDoNotLook(1);
        assertThat(looksUntil(1)).isEqualTo(1);
        assertThat(looksInVain()).isPositive();
        assertThatSoManyDoNotLook(3);
    }

    private void waitInVainUntilItTries() {
        for (int i = 0; i <= BriefSpin.MOST_SKIPPED; i++) {
            if (looksInVain() > 0) {
                return;
            }
        }
        throw new AssertionError("never tries again");
    }

    private void assertThatSoManyDoNotLook(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(looksInVain()).as("wait %d of %d", i + 1, count).isZero();
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

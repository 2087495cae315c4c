/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.internal.IdleStrategy.Kind;
import org.junit.jupiter.api.Test;

class SpinThenWaitTest {
    private static final int EVENTS = 3;
    private static final int MANY = 10_000;

    private long nowNs;
    private final SpinThenWait backoff = new SpinThenWait(new IdleStrategy(Kind.BACKOFF, () -> nowNs += 100));

    private static int look(SpinThenWait strategy, int ready) throws Exception {
        return strategy.calculateStrategy(() -> ready, false);
    }

    /** How many looks in vain it takes until the loop sleeps. */
    private int looksUntilItSleeps() throws Exception {
        int looks = 1;
        while (look(backoff, 0) != SelectStrategy.SELECT) {
            assertThat(looks++).isLessThan(MANY);
        }
        return looks;
    }

    @Test
    void shouldHandEventsOver() throws Exception {
        assertThat(look(backoff, EVENTS)).isEqualTo(EVENTS);
        assertThat(backoff.calculateStrategy(() -> 0, true)).isZero();
    }

    @Test
    void shouldPollBeforeItSleeps() throws Exception {
        assertThat(looksUntilItSleeps()).isGreaterThan(1);
    }

    @Test
    void shouldPollAgainAfterEvents() throws Exception {
        looksUntilItSleeps();
        look(backoff, EVENTS);

        assertThat(look(backoff, 0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldPollAgainAfterASleepWhoseEventsItHasNotBeenAskedFor() throws Exception {
        looksUntilItSleeps();

        assertThat(look(backoff, 0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldSleepAtOnceIfTheUserWantsThat() throws Exception {
        SpinThenWait sleeping = new SpinThenWait(new IdleStrategy(Kind.SLEEPING));

        assertThat(look(sleeping, 0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldNeverSleepIfTheUserWantsThat() throws Exception {
        SpinThenWait spinning = new SpinThenWait(new IdleStrategy(Kind.BUSY_SPIN));

        for (int i = 0; i < MANY; i++) {
            assertThat(look(spinning, 0)).isEqualTo(SelectStrategy.CONTINUE);
        }
    }
}

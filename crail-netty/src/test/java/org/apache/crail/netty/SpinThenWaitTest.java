/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

class SpinThenWaitTest {
    private static final int EVENTS = 3;

    private long nowNs = 1;
    private final SpinThenWait strategy = new SpinThenWait(() -> nowNs);

    @Test
    void shouldSleepAtOnceWhenNothingIsKnown() throws Exception {
        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldHandEventsOver() throws Exception {
        assertThat(look(EVENTS)).isEqualTo(EVENTS);
        assertThat(strategy.calculateStrategy(() -> 0, true)).isZero();
    }

    @Test
    void shouldLookAgainAfterAShortPause() throws Exception {
        pause(SpinThenWait.LIMIT_NS);

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        nowNs += SpinThenWait.LIMIT_NS;
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        nowNs += 1;
        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldSleepAtOnceAfterALongPause() throws Exception {
        pause(SpinThenWait.LIMIT_NS);
        pause(SpinThenWait.LIMIT_NS + 1);

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    private int look(int ready) throws Exception {
        return strategy.calculateStrategy(() -> ready, false);
    }

    private void pause(long lengthNs) throws Exception {
        look(0);
        nowNs += lengthNs;
        look(EVENTS);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

class SpinThenWaitTest {
    private static final int EVENTS = 3;

    private static final long HELD_NS = SpinThenWait.LIMIT_NS + 1;

    private long nowNs = 1;
    private long stepNs;
    private final SpinThenWait strategy = new SpinThenWait(this::clock);

    private long clock() {
        nowNs += stepNs;
        return nowNs;
    }

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

    @Test
    void shouldLookAgainAfterAShortSleepThatEventsHaveEnded() throws Exception {
        sleep(SpinThenWait.LIMIT_NS);

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldSleepAgainAfterALongSleep() throws Exception {
        sleep(SpinThenWait.LIMIT_NS + 1);

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldMeasureTheNextPauseFromItsBegin() throws Exception {
        sleep(SpinThenWait.LIMIT_NS);
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        nowNs += SpinThenWait.LIMIT_NS;

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldLookForAnAnswerHoweverLongTheLastPauseWas() throws Exception {
        sleep(2 * SpinThenWait.LIMIT_NS);
        look(0);
        nowNs += 2 * SpinThenWait.LIMIT_NS;
        strategy.expectAnswer();

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldNotLookForAWhileAfterAnotherThreadHasKeptTheProcessor() throws Exception {
        lookBesideBusyThread();
        long endNs = nowNs + (SpinThenWait.LEAST_CAUTION - 1) * HELD_NS;
        pause(1);

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
        nowNs = endNs;
        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
        nowNs += 1;
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldWaitLongerEachTimeThatAnotherThreadKeepsTheProcessor() throws Exception {
        lookBesideBusyThread();
        nowNs += SpinThenWait.LEAST_CAUTION * HELD_NS;
        lookBesideBusyThread();
        pause(1);
        nowNs += SpinThenWait.LEAST_CAUTION * HELD_NS;
        pause(1);

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldNotLookForAnAnswerWhileAnotherThreadKeepsTheProcessor() throws Exception {
        lookBesideBusyThread();
        strategy.expectAnswer();

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    /** A look between two short pauses that gives the processor to another thread for long. */
    private void lookBesideBusyThread() throws Exception {
        pause(1);
        pause(1);
        stepNs = HELD_NS;
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        stepNs = 0;
    }

    private int look(int ready) throws Exception {
        return strategy.calculateStrategy(() -> ready, false);
    }

    /** The loop takes what has come without asking, as Netty does. */
    private void sleep(long lengthNs) throws Exception {
        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
        nowNs += lengthNs;
    }

    private void pause(long lengthNs) throws Exception {
        look(0);
        nowNs += lengthNs;
        look(EVENTS);
    }
}

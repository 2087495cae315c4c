/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

class SpinThenWaitTest {
    private static final int EVENTS = 3;
    private static final long LIMIT_NS = SpinThenWait.LIMIT_NS;
    private static final long KEPT_NS = SpinThenWait.KEPT_NS + 1;

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
        assertThat(lookWithTasks()).isZero();
    }

    @Test
    void shouldLookForAsLongAsAShortPauseLasts() throws Exception {
        pause(LIMIT_NS);

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        nowNs += LIMIT_NS;
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        nowNs += 1;
        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldLookAgainAfterAPauseThatALookHasEnded() throws Exception {
        pause(LIMIT_NS);
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        nowNs += LIMIT_NS;
        look(EVENTS);

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldSleepAtOnceAfterALongPause() throws Exception {
        pause(LIMIT_NS);
        pause(LIMIT_NS + 1);

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldLookAgainAfterAShortSleepWhoseEventsItHasNotBeenAskedFor() throws Exception {
        sleep(LIMIT_NS);

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldSleepAgainAfterALongSleep() throws Exception {
        sleep(LIMIT_NS + 1);

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldMeasureTheNextPauseFromItsBeginning() throws Exception {
        sleep(LIMIT_NS);
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        nowNs += LIMIT_NS;

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldBeginAnotherPauseAfterTasks() throws Exception {
        shortPauses();
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        nowNs += LIMIT_NS;
        lookWithTasks();
        nowNs += LIMIT_NS;

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldLookForAnAnswerHoweverLongTheLastPauseWas() throws Exception {
        sleep(2 * LIMIT_NS);
        look(0);
        nowNs += 2 * LIMIT_NS;
        strategy.expectAnswer();

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldNotBeQuietWhenManyThreadsInTurnHaveHadTheProcessor() throws Exception {
        shortPauses();
        lookWhileOthersRun(KEPT_NS - 1);
        shortPauses();

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldAllowMoreTimeForEachThatWaitsForTheLoop() throws Exception {
        strategy.giveWayBy(() -> 2);
        shortPauses();
        lookWhileOthersRun(KEPT_NS - 1 + 2 * SpinThenWait.KEPT_BY_VISITOR_NS);
        shortPauses();
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        look(EVENTS);
        lookWhileOthersRun(KEPT_NS + 2 * SpinThenWait.KEPT_BY_VISITOR_NS);
        shortPauses();

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldNotLookForAsLongAsABusyThreadHasKeptTheProcessor() throws Exception {
        shortPauses();
        lookWhileOthersRun(KEPT_NS);
        long quietUntilNs = nowNs + KEPT_NS;
        shortPauses();

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
        look(EVENTS);
        nowNs = quietUntilNs - 3;
        shortPauses();
        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
        look(EVENTS);
        nowNs = quietUntilNs;
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldNotLookForTwiceAsLongWhenThatHappensAgain() throws Exception {
        shortPauses();
        lookWhileOthersRun(KEPT_NS);
        nowNs += KEPT_NS;
        shortPauses();
        lookWhileOthersRun(KEPT_NS);
        nowNs += KEPT_NS;
        shortPauses();

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldLookAfterABoundedTimeHoweverOftenThatHappens() throws Exception {
        shortPauses();
        for (int i = 0; i < 12; i++) {
            lookWhileOthersRun(KEPT_NS);
            nowNs += SpinThenWait.MOST_CAUTION * KEPT_NS;
            shortPauses();
        }

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldLookAfterASecondHoweverLongTheProcessHasStood() throws Exception {
        shortPauses();
        lookWhileOthersRun(10 * SpinThenWait.LONGEST_QUIET_NS);
        nowNs += SpinThenWait.LONGEST_QUIET_NS;
        shortPauses();

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldForgetItsCautionWhenALookFindsEvents() throws Exception {
        shortPauses();
        lookWhileOthersRun(KEPT_NS);
        nowNs += KEPT_NS;
        shortPauses();
        pause(1);
        lookWhileOthersRun(KEPT_NS);
        nowNs += KEPT_NS;
        shortPauses();

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldForgetItsCautionWhenALookFindsEventsAfterManyThreadsHadTheProcessor() throws Exception {
        shortPauses();
        lookWhileOthersRun(KEPT_NS);
        nowNs += KEPT_NS;
        shortPauses();
        lookWhileOthersRun(KEPT_NS - 1);
        look(EVENTS);
        sleep(1);
        look(EVENTS);
        lookWhileOthersRun(KEPT_NS);
        nowNs += KEPT_NS;
        shortPauses();

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void shouldKeepItsCautionWhenALookFindsTasksOnly() throws Exception {
        shortPauses();
        lookWhileOthersRun(KEPT_NS);
        nowNs += KEPT_NS;
        shortPauses();
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        lookWithTasks();
        lookWhileOthersRun(KEPT_NS);
        nowNs += KEPT_NS;
        shortPauses();

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldNotLookForAnAnswerEitherAfterABusyThreadHasKeptTheProcessor() throws Exception {
        shortPauses();
        lookWhileOthersRun(KEPT_NS);
        strategy.expectAnswer();

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldOfferTheProcessorBeforeTheFirstLookForAnAnswer() throws Exception {
        stepNs = KEPT_NS;
        strategy.expectAnswer();
        stepNs = 0;

        assertThat(look(0)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldForgetItsCautionWhenTheFirstLookFindsAnAnswer() throws Exception {
        shortPauses();
        lookWhileOthersRun(KEPT_NS);
        nowNs += KEPT_NS;
        shortPauses();
        strategy.expectAnswer();
        look(EVENTS);
        lookWhileOthersRun(KEPT_NS);
        nowNs += KEPT_NS;
        shortPauses();

        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
    }

    private int look(int ready) throws Exception {
        return strategy.calculateStrategy(() -> ready, false);
    }

    private int lookWithTasks() throws Exception {
        return strategy.calculateStrategy(() -> 0, true);
    }

    /** Finds nothing, and lets other threads run for so long. */
    private void lookWhileOthersRun(long keptNs) throws Exception {
        stepNs = keptNs;
        assertThat(look(0)).isEqualTo(SelectStrategy.CONTINUE);
        stepNs = 0;
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

    /** What comes before may have been long; two nanoseconds later the last pause has been a short one. */
    private void shortPauses() throws Exception {
        pause(1);
        pause(1);
    }
}

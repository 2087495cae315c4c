/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.contest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.crail.comparison.works.Effort;
import org.apache.crail.comparison.works.Tally;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class WarmUpTest {
    private static final Effort EFFORT = Effort.FULL;
    private static final long TURN_NS = ns(EFFORT.turnMs());

    private final WarmUp warmUp = new WarmUp(EFFORT);

    @Test
    void shouldTakeATurnAtLeast() {
        assertThat(warmUp.isOver()).isFalse();
        assertThat(new WarmUp(Effort.QUICK).isOver()).isFalse();
    }

    @Test
    void shouldEndAfterManyOperationsIfLittleIsCompiled() {
        warmUp.add(new Tally(EFFORT.warmUpOperations() - 1, TURN_NS, 0));
        assertThat(warmUp.isOver()).isFalse();

        warmUp.add(new Tally(1, 1, 0));
        assertThat(warmUp.isOver()).isTrue();
    }

    @Test
    void shouldEndAfterSomeTimeIfLittleIsCompiled() {
        warmUp.add(new Tally(1, ns(EFFORT.warmUpMs()) - 1, 0));
        assertThat(warmUp.isOver()).isFalse();

        warmUp.add(new Tally(1, 1, 0));
        assertThat(warmUp.isOver()).isTrue();
    }

    @Test
    void shouldGoOnWhileMuchIsCompiled() {
        warmUp.add(new Tally(EFFORT.warmUpOperations(), TURN_NS, TURN_NS / 10));
        assertThat(warmUp.isOver()).isFalse();
        assertThat(warmUp.isCompiling()).isTrue();

        warmUp.add(new Tally(1, TURN_NS, TURN_NS / 100));
        assertThat(warmUp.isOver()).isTrue();
        assertThat(warmUp.isCompiling()).isFalse();
    }

    /** A turn of little time, in which no method happens to be finished, says nothing. */
    @Test
    void shouldJudgeByEnoughTime() {
        warmUp.add(new Tally(EFFORT.warmUpOperations(), TURN_NS / 2, 0));
        assertThat(warmUp.isOver()).isFalse();

        warmUp.add(new Tally(1, TURN_NS / 2, TURN_NS / 10));
        assertThat(warmUp.isOver()).isFalse();
    }

    @Test
    void shouldEndAtLastWhateverIsCompiled() {
        long longestNs = ns(EFFORT.longestWarmUpMs());
        warmUp.add(new Tally(EFFORT.warmUpOperations(), longestNs - 1, longestNs));
        assertThat(warmUp.isOver()).isFalse();

        warmUp.add(new Tally(1, 1, 0));
        assertThat(warmUp.isOver()).isTrue();
        assertThat(warmUp.isCompiling()).isTrue();
    }

    private static long ns(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}

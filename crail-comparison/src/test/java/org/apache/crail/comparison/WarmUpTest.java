/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class WarmUpTest {
    private static final Effort EFFORT = Effort.FULL;

    private WarmUp warmUp;

    @BeforeEach
    void begin() {
        warmUp = new WarmUp(EFFORT);
    }

    @Test
    void shouldTakeATurnAtLeast() {
        assertThat(warmUp.isOver()).isFalse();
        assertThat(new WarmUp(Effort.QUICK).isOver()).isFalse();
    }

    @Test
    void shouldEndAfterManyOperationsIfNothingIsCompiledAnyMore() {
        warmUp.add(EFFORT.warmUpOperations() - 1, ns(1), 0);
        assertThat(warmUp.isOver()).isFalse();

        warmUp.add(1, ns(1), 0);
        assertThat(warmUp.isOver()).isTrue();
    }

    @Test
    void shouldEndAfterSomeTimeIfNothingIsCompiledAnyMore() {
        warmUp.add(1, ns(EFFORT.warmUpMs()) - 1, 0);
        assertThat(warmUp.isOver()).isFalse();

        warmUp.add(1, 1, 0);
        assertThat(warmUp.isOver()).isTrue();
    }

    @Test
    void shouldGoOnWhileMuchIsCompiled() {
        warmUp.add(EFFORT.warmUpOperations(), ns(1_000), ns(100));
        assertThat(warmUp.isOver()).isFalse();

        warmUp.add(1, ns(1_000), ns(10));
        assertThat(warmUp.isOver()).isTrue();
    }

    @Test
    void shouldEndAtLastWhateverIsCompiled() {
        warmUp.add(EFFORT.warmUpOperations(), ns(EFFORT.longestWarmUpMs()), ns(EFFORT.longestWarmUpMs()));
        assertThat(warmUp.isOver()).isTrue();
    }

    private static long ns(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}

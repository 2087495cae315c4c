/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallersTurnTest {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final CallersTurn turn = new CallersTurn();
    private final CompletableFuture<Void> awaited = new CompletableFuture<>();

    @BeforeEach
    void requireProcessors() {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    }

    @Test
    void shouldBeOfOneThreadAndTellItThatOthersWait() {
        assertThat(turn.noteOthers()).as("nobody has it").isFalse();
        assertThat(turn.begin()).isTrue();
        assertThat(turn.end(false)).as("nobody waits").isFalse();
        assertThat(turn.begin()).isTrue();
        assertThat(turn.begin()).isFalse();
        assertThat(turn.holder()).isSameAs(Thread.currentThread());
        assertThat(turn.noteOthers()).isTrue();
        assertThat(turn.end(false)).as("others wait").isTrue();
        assertThat(turn.holder()).isNull();
        assertThat(turn.begin()).isTrue();
        assertThat(turn.end(false)).isFalse();
    }

    @Test
    void shouldLookUntilTheFutureIsDone() {
        AtomicInteger looks = new AtomicInteger();
        assertThat(turn.begin()).isTrue();
        boolean wasTooShort = turn.look(awaited, NO_LIMIT, () -> true, () -> {
            if (looks.incrementAndGet() == 3) {
                awaited.complete(null);
            }
            return 1;
        });
        assertThat(wasTooShort).isFalse();
        assertThat(looks).hasValue(3);
        assertThat(turn.end(false)).isFalse();
    }

    @Test
    void shouldEndWhenThereIsNothingToBeTaken() {
        assertThat(turn.begin()).isTrue();
        assertThat(turn.look(awaited, NO_LIMIT, () -> false, () -> 0)).isFalse();
    }

    @Test
    void shouldEndByItselfAndLetMoreAndMoreTurnsPassWhenThatHappensAgain() {
        int passes = 0;
        for (int times = 0; times < 3; times++) {
            assertThat(turn.begin()).isTrue();
            boolean wasTooShort = turn.look(awaited, NO_LIMIT, () -> true, () -> 0);
            assertThat(wasTooShort).isTrue();
            assertThat(turn.end(wasTooShort)).isFalse();
            passes = 2 * passes + 1;
            for (int i = 0; i < passes; i++) {
                assertThat(turn.begin()).isFalse();
            }
        }
        assertThat(turn.begin()).isTrue();
        assertThat(turn.end(false)).isFalse();
        assertThat(turn.begin()).as("at once after one that helped").isTrue();
    }

    @Test
    void shouldNotLookForLongerThanTheCallerWaits() {
        assertThat(turn.begin()).isTrue();
        AtomicInteger looks = new AtomicInteger();
        boolean wasTooShort = turn.look(awaited, 0, () -> true, () -> {
            looks.incrementAndGet();
            return 0;
        });
        assertThat(wasTooShort).isFalse();
        assertThat(looks).hasValueLessThanOrEqualTo(64);
    }

    @Test
    void shouldLeaveAnInterruptToWhoWaits() {
        assertThat(turn.begin()).isTrue();
        Thread.currentThread().interrupt();
        assertThat(turn.look(awaited, NO_LIMIT, () -> true, () -> 0)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}

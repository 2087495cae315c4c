/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.SelectStrategy;
import io.netty.channel.embedded.EmbeddedChannel;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.internal.IdleStrategy.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A loop that looks into memory. */
class PolledInputsTest {
    private int asked;
    private final SpinThenWait strategy = new SpinThenWait(new IdleStrategy(Kind.SLEEPING));
    private final FakeInput input = new FakeInput();

    private static final class FakeInput implements PolledInput {
        private final Channel channel = new EmbeddedChannel();
        private boolean ready;
        private boolean comesWhileFallingAsleep;
        private boolean asleep;
        private boolean hasFailed;
        private int taken;

        @Override
        public Channel channel() {
            return channel;
        }

        @Override
        public boolean takeIfReady() {
            boolean wasReady = ready;
            if (ready) {
                ready = false;
                taken++;
            }
            return wasReady;
        }

        @Override
        public boolean fallAsleep() {
            asleep = !comesWhileFallingAsleep;
            ready = comesWhileFallingAsleep;
            return asleep;
        }

        @Override
        public boolean wake() {
            asleep = false;
            return true;
        }

        @Override
        public void fail(Throwable cause) {
            hasFailed = true;
            throw new AssertionError(cause);
        }
    }

    @BeforeEach
    void add() {
        strategy.inputs().add(input);
    }

    private int look() throws Exception {
        return strategy.calculateStrategy(this::ask, false);
    }

    private int ask() {
        asked++;
        return 0;
    }

    private void hear() throws Exception {
        input.ready = true;
        look();
        asked = 0;
    }

    @Test
    void shouldTakeWhatHasComeThoughTheSystemKnowsNothing() throws Exception {
        input.ready = true;
        look();
        assertThat(input.taken).isEqualTo(1);
    }

    @Test
    void shouldTakeWhatHasComeBesideTasks() throws Exception {
        hear();
        input.ready = true;
        assertThat(strategy.calculateStrategy(this::ask, true)).isZero();
        assertThat(input.taken).isEqualTo(2);
        assertThat(asked).as("events of sockets too").isEqualTo(1);
    }

    @Test
    void shouldAskTheSystemNowAndThenWhileItHearsFromMemory() throws Exception {
        hear();
        for (int i = 0; i < 3 * (PolledInputs.MOST_IN_A_ROW + 1); i++) {
            input.ready = true;
            look();
        }
        assertThat(asked).isEqualTo(3);
    }

    @Test
    void shouldAskTheSystemEachTimeOnceSomethingCameFromThere() throws Exception {
        hear();
        for (int i = 0; i <= PolledInputs.MOST_IN_A_ROW; i++) {
            strategy.calculateStrategy(() -> 1, false);
        }
        asked = 0;
        look();
        look();
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void shouldAskToBeWokenBeforeItSleeps() throws Exception {
        assertThat(look()).isEqualTo(SelectStrategy.SELECT);
        assertThat(input.asleep).isTrue();
        input.ready = true;
        look();
        assertThat(input.asleep).as("while it polls").isFalse();
    }

    @Test
    void shouldNotSleepIfSomethingComesMeanwhile() throws Exception {
        input.comesWhileFallingAsleep = true;
        assertThat(look()).isEqualTo(SelectStrategy.CONTINUE);
        look();
        assertThat(input.taken).isEqualTo(1);
    }

    @Test
    void shouldForgetWhatHasEnded() throws Exception {
        hear();
        strategy.inputs().remove(input);
        input.ready = true;
        look();
        assertThat(input.taken).isEqualTo(1);
        look();
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void shouldServeABoundedNumber() {
        for (int i = 1; i < PolledInputs.MOST_INPUTS; i++) {
            assertThat(strategy.inputs().hasRoom()).isTrue();
            strategy.inputs().add(new FakeInput());
        }
        assertThat(strategy.inputs().hasRoom()).isFalse();
        strategy.inputs().remove(input);
        assertThat(strategy.inputs().hasRoom()).isTrue();
    }

    @Test
    void shouldEndAllWhenOneFailsToEnd() {
        FakeInput other = new FakeInput();
        strategy.inputs().add(other);

        strategy.inputs().end();

        assertThat(input.hasFailed).isTrue();
        assertThat(other.hasFailed).isTrue();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.utils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MultiFutureTest {
    private final CompletableFuture<Integer> first = new CompletableFuture<>();
    private final CompletableFuture<Integer> second = new CompletableFuture<>();
    private final Sum sum = new Sum();

    private static final class Sum extends MultiFuture<Integer, Integer> {
        private int value;
        private int timesCompleted;

        @Override
        public void aggregate(Integer result) {
            value += result;
        }

        @Override
        public Integer getAggregate() {
            return value;
        }

        @Override
        public void completeOperation() {
            timesCompleted++;
        }
    }

    private void addBoth() {
        sum.add(first);
        sum.add(second);
    }

    @Test
    void shouldBeDoneWhenAllAre() throws Exception {
        addBoth();
        second.complete(2);
        assertThat(sum.isDone()).isFalse();
        first.complete(1);
        assertThat(sum.isDone()).isTrue();
        assertThat(sum.get()).isEqualTo(3);
        assertThat(sum.get(1, TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(sum.timesCompleted).isOne();
    }

    @Test
    void shouldBeDoneWithoutFutures() throws Exception {
        assertThat(sum.isDone()).isTrue();
        assertThat(sum.get()).isZero();
    }

    @Test
    void shouldWaitForAllEvenIfOneFails() {
        addBoth();
        first.completeExceptionally(new IOException("broken"));
        assertThat(sum.isDone()).isFalse();
        second.complete(2);
        assertThat(sum.isDone()).isTrue();
        assertThatThrownBy(sum::get).isInstanceOf(ExecutionException.class).hasRootCauseMessage("broken");
        assertThatThrownBy(() -> sum.get(1, TimeUnit.SECONDS)).hasRootCauseMessage("broken");
    }

    @Test
    @DisplayName("D14: a timeout is honoured")
    void shouldHonourATimeout() {
        addBoth();
        first.complete(1);
        assertThatThrownBy(() -> sum.get(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(sum.cancel(true)).isFalse();
        assertThat(sum.isCancelled()).isFalse();
    }
}

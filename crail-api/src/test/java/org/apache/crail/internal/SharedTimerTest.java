/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedTimerTest {
    @Test
    void shouldGoOnWithATaskThatThrewAnError() throws Exception {
        CountDownLatch runs = new CountDownLatch(3);
        Future<?> task = SharedTimer.every(1, () -> {
            runs.countDown();
            throw new OutOfMemoryError("injected");
        });
        try {
            assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(task.isDone()).isFalse();
        } finally {
            task.cancel(false);
        }
    }

    @Test
    void shouldGoOnWithATaskWhoseFailureCannotEvenBeTold() throws Exception {
        CountDownLatch runs = new CountDownLatch(3);
        Future<?> task = SharedTimer.every(1, () -> {
            runs.countDown();
            throw new UntoldFailure();
        });
        try {
            assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            task.cancel(false);
        }
    }

    /** As when there is no memory for the text. */
    private static final class UntoldFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("injected");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}

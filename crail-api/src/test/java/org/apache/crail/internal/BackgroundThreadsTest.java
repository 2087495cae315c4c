/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BackgroundThreadsTest {
    @Test
    void shouldRunATaskOnAnotherThread() throws Exception {
        CompletableFuture<Thread> ran = new CompletableFuture<>();

        BackgroundThreads.runElsewhere(BackgroundThreads.executor(), () -> ran.complete(Thread.currentThread()));

        assertThat(ran.get(30, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
    }

    @Test
    void shouldRunATaskHereOnceIfNoThreadCanBeHad() {
        AtomicInteger runs = new AtomicInteger();

        BackgroundThreads.runElsewhere(
                task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                },
                runs::incrementAndGet);
        BackgroundThreads.runElsewhere(
                task -> {
                    throw new RejectedExecutionException();
                },
                runs::incrementAndGet);

        assertThat(runs).hasValue(2);
    }
}

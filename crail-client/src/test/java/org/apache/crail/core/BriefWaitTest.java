/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BriefWaitTest {
    @Test
    void shouldGiveUpWhenNoAnswerComes() {
        CompletableFuture<String> never = new CompletableFuture<>();
        BriefWait.until(never);
        BriefWait.until(never); // the first has made way for the second
        assertThat(never).isNotDone();
    }

    @Test
    void shouldReturnToAllThreadsWhateverTheOthersDo() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int i = 0; i < 8; i++) {
            threads.execute(() -> BriefWait.until(answer));
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
}

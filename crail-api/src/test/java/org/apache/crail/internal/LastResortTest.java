/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class LastResortTest {
    private static final long PAUSE_MS = 20;

    private static long pauseNs() {
        long beginNs = System.nanoTime();
        LastResort.pause(PAUSE_MS);
        return System.nanoTime() - beginNs;
    }

    @Test
    void shouldPauseForAThreadThatIsInterrupted() {
        Thread.currentThread().interrupt();
        long passedNs = pauseNs();
        assertThat(Thread.interrupted()).as("the flag afterwards").isTrue();
        assertThat(passedNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
    }

    @Test
    void shouldPauseForAThreadThatWasWokenBefore() {
        LockSupport.unpark(Thread.currentThread());
        assertThat(pauseNs()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void shouldDropWhatTheTellingThrows() {
        List<String> told = new ArrayList<>();
        LastResort.run(
                () -> {
                    throw new OutOfMemoryError("injected");
                },
                e -> {
                    told.add(e.getMessage());
                    throw new OutOfMemoryError("injected, too");
                });
        assertThat(told).containsExactly("injected");
    }
}

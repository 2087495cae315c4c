/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.interleaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scenarios that are wrong: a JVM that is not instrumented would find nothing in them, and so nothing anywhere. */
@Tag("fray")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class InterleavingsTest {
    private static final int TIMES = 1_000;

    @BeforeEach
    void needAnInstrumentedJvm() {
        assumeTrue(Interleavings.isInstrumented(), "this JVM is not instrumented");
    }

    @Test
    void shouldFindAnUpdateThatIsLost() {
        assertThatThrownBy(() -> Interleavings.exploreUnprepared(TIMES, InterleavingsTest::loseAnUpdate))
                .hasStackTraceContaining("both count");
    }

    private static void loseAnUpdate() throws Exception {
        AtomicInteger count = new AtomicInteger();
        Threads threads = new Threads();
        for (int i = 0; i < 2; i++) {
            threads.add("counter", () -> count.set(count.get() + 1));
        }
        threads.run();
        assertThat(count).as("both count").hasValue(2);
    }

    @Test
    void shouldFindThreadsThatWaitForEachOther() {
        assertThatThrownBy(() -> Interleavings.exploreUnprepared(TIMES, InterleavingsTest::waitForEachOther))
                .hasStackTraceContaining("DeadlockException");
    }

    private static void waitForEachOther() throws Exception {
        Object first = new Object();
        Object second = new Object();
        new Threads()
                .add("one", () -> lock(first, second))
                .add("other", () -> lock(second, first))
                .run();
    }

    private static void lock(Object outer, Object inner) {
        synchronized (outer) {
            synchronized (inner) {
                assertThat(Thread.holdsLock(outer)).isTrue();
            }
        }
    }
}

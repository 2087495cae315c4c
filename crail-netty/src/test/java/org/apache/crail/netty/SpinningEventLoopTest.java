/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a loop does after a failure that comes again and again. */
class SpinningEventLoopTest {
    private static final int FAILURES = 100;
    private static final int MOST_ENTRIES = 50;

    @Test
    void shouldBoundWhatItLogs() {
        Logger log = (Logger) LoggerFactory.getLogger(SpinningEventLoop.class);
        AtomicInteger entries = new AtomicInteger();
        AppenderBase<ILoggingEvent> counter = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                entries.incrementAndGet();
            }
        };
        counter.start();
        log.addAppender(counter);
        log.setAdditive(false);
        try {
            for (int i = 0; i < FAILURES; i++) {
                SpinningEventLoop.survive(new IllegalStateException("injected"));
            }
        } finally {
            log.setAdditive(true);
            log.detachAppender(counter);
        }
        assertThat(entries.get()).as("entries for %d failures", FAILURES).isLessThanOrEqualTo(MOST_ENTRIES);
    }

    @Test
    void shouldPauseAlsoWhenItsThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        long beginNs = System.nanoTime();
        SpinningEventLoop.survive(new IllegalStateException("injected"));
        long passedNs = System.nanoTime() - beginNs;
        assertThat(Thread.interrupted()).as("the flag afterwards").isTrue();
        assertThat(passedNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(SpinningEventLoop.PAUSE_MS));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.crail.cli.Console;
import org.apache.crail.cli.Sizes;

/** Shows a person at a terminal how far a test is. All methods are thread safe. */
final class BenchProgress {
    private static final long PERIOD_MS = 500;
    private static final String ERASE = "\r\u001b[K";

    private final Console console;
    private final List<Meter> meters;
    private final long expected;
    private final ScheduledExecutorService timer;

    private BenchProgress(Console console, List<Meter> meters, long expected, ScheduledExecutorService timer) {
        this.console = console;
        this.meters = meters;
        this.expected = expected;
        this.timer = timer;
    }

    static BenchProgress start(Console console, boolean wanted, List<Meter> meters, long expected) {
        if (!wanted || !console.isTerminal()) {
            return new BenchProgress(console, meters, expected, null);
        }
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        BenchProgress progress = new BenchProgress(console, meters, expected, timer);
        timer.scheduleAtFixedRate(progress::draw, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
        return progress;
    }

    private void draw() {
        long ops = meters.stream().mapToLong(Meter::operations).sum();
        long bytes = meters.stream().mapToLong(Meter::bytes).sum();
        console.err()
                .print(ERASE
                        + String.format(
                                Locale.ROOT,
                                "%3.0f %%, %d operations, %s",
                                100.0 * ops / expected,
                                ops,
                                Sizes.human(bytes)));
        console.err().flush();
    }

    void close() {
        if (timer != null) {
            timer.shutdownNow();
            console.err().print(ERASE);
            console.err().flush();
        }
    }
}

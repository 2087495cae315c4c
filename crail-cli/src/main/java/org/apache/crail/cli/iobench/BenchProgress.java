/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.crail.cli.Console;
import org.apache.crail.cli.Sizes;

/** Shows a person at a terminal how far a test is. All methods are thread safe. */
final class BenchProgress {
    private static final long PERIOD_MS = 500;
    private static final String ERASE = "\r\u001b[K";

    private final Console console;
    private final List<Meter> meters;
    private final ScheduledExecutorService timer;

    private BenchProgress(Console console, List<Meter> meters, ScheduledExecutorService timer) {
        this.console = console;
        this.meters = meters;
        this.timer = timer;
    }

    static BenchProgress start(Console console, boolean wanted, List<Meter> meters) {
        if (!wanted || !console.isTerminal()) {
            return new BenchProgress(console, meters, null);
        }
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        BenchProgress progress = new BenchProgress(console, meters, timer);
        timer.scheduleAtFixedRate(progress::draw, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
        return progress;
    }

    private void draw() {
        console.err().print(ERASE + line(meters));
        console.err().flush();
    }

    /** The line: share, operations, bytes. */
    static String line(List<Meter> meters) {
        return String.format(
                Locale.ROOT,
                "%3.0f %%, %d operations, %s",
                100.0 * sum(meters, Meter::rounds) / sum(meters, Meter::expectedRounds),
                sum(meters, Meter::operations),
                Sizes.human(sum(meters, Meter::bytes)));
    }

    private static long sum(List<Meter> meters, ToLongFunction<Meter> count) {
        return meters.stream().mapToLong(count).sum();
    }

    void close() {
        if (timer != null) {
            timer.shutdownNow();
            console.err().print(ERASE);
            console.err().flush();
        }
    }
}

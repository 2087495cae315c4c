/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/**
 * Shows how far something long is: a line on a terminal that is drawn anew, from the second second on; nothing when no
 * person watches. All methods are thread safe.
 */
public final class Progress implements AutoCloseable, LongConsumer {
    private static final long FIRST_MS = 1_000;
    private static final long PERIOD_MS = 250;
    private static final int BAR = 30;
    private static final String ERASE = "\r\u001b[K";

    private final Console console;
    private final ScheduledExecutorService timer;
    private final LongAdder done = new LongAdder();
    private final LongAdder total = new LongAdder();
    private final long startNs = System.nanoTime();
    private volatile boolean drawn;

    private Progress(Console console, ScheduledExecutorService timer) {
        this.console = console;
        this.timer = timer;
    }

    /**
     * Begins to show progress.
     *
     * @param wanted whether the user wants to see it
     */
    public static Progress start(Console console, boolean wanted) {
        if (!wanted || !console.isTerminal()) {
            return new Progress(console, null);
        }
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "progress");
            thread.setDaemon(true);
            return thread;
        });
        Progress progress = new Progress(console, timer);
        timer.scheduleAtFixedRate(progress::draw, FIRST_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
        return progress;
    }

    /** More bytes have to be done. */
    public void expect(long bytes) {
        total.add(bytes);
    }

    /** More bytes are done. */
    @Override
    public void accept(long bytes) {
        done.add(bytes);
    }

    private void draw() {
        drawn = true;
        console.err().print(ERASE + line(done.sum(), total.sum(), System.nanoTime() - startNs));
        console.err().flush();
    }

    /** The line: share, bar, bytes, rate. */
    static String line(long done, long total, long elapsedNs) {
        double share = total <= 0 ? 0 : Math.min(1.0, (double) done / total);
        int filled = (int) (share * BAR);
        double seconds = Math.max(1, elapsedNs) / 1e9;
        return String.format(
                Locale.ROOT,
                "%3.0f %% [%s%s] %s of %s, %s/s",
                100 * share,
                "=".repeat(filled),
                " ".repeat(BAR - filled),
                Sizes.human(done),
                Sizes.human(total),
                Sizes.human((long) (done / seconds)));
    }

    @Override
    public void close() {
        if (timer == null) {
            return;
        }
        timer.shutdownNow();
        if (drawn) {
            console.err().print(ERASE);
            console.err().flush();
        }
    }
}

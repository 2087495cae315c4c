/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** Shows a person at a terminal how far a copy of bytes is. All methods are thread safe. */
public final class Progress implements AutoCloseable, LongConsumer {
    private static final int BAR = 30;

    private final LongAdder done = new LongAdder();
    private final LongAdder total = new LongAdder();
    private final ProgressLine line;

    private Progress(Console console, boolean wanted) {
        long startNs = System.nanoTime();
        line = ProgressLine.start(console, wanted, () -> line(done.sum(), total.sum(), System.nanoTime() - startNs));
    }

    /**
     * Begins to show progress.
     *
     * @param wanted whether the user wants to see it
     */
    public static Progress start(Console console, boolean wanted) {
        return new Progress(console, wanted);
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
        line.close();
    }
}

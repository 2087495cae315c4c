/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** Shows a person at a terminal how far copies of files are. All methods are thread safe. */
public final class Progress implements AutoCloseable, LongConsumer {
    private static final int BAR = 30;

    private final LongAdder done = new LongAdder();
    private final LongAdder total = new LongAdder();
    private final LongAdder filesDone = new LongAdder();
    private final LongAdder files = new LongAdder();
    private final ProgressLine line;
    private volatile boolean allExpected;

    private Progress(Console console, boolean wanted) {
        long startNs = System.nanoTime();
        line = ProgressLine.start(console, wanted, () -> line(System.nanoTime() - startNs));
    }

    /**
     * Begins to show progress.
     *
     * @param wanted whether the user wants to see it
     */
    public static Progress start(Console console, boolean wanted) {
        return new Progress(console, wanted);
    }

    /** A further file with some bytes has to be done. */
    public void expect(long bytes) {
        total.add(bytes);
        files.increment();
    }

    /** No file is found any more; a share is shown only from then on, so that it never falls. */
    public void allExpected() {
        allExpected = true;
    }

    /** More bytes are done. */
    @Override
    public void accept(long bytes) {
        done.add(bytes);
    }

    /** A file is done. */
    public void fileDone() {
        filesDone.increment();
    }

    private String line(long elapsedNs) {
        return line(allExpected, done.sum(), total.sum(), filesDone.sum(), files.sum(), elapsedNs);
    }

    /** The line: share and bar if all files are known, then bytes, rate, files. */
    static String line(boolean allKnown, long done, long total, long filesDone, long files, long elapsedNs) {
        String rate = Sizes.human((long) (done / (Math.max(1, elapsedNs) / 1e9)));
        return allKnown
                ? String.format(
                        Locale.ROOT,
                        "%s%s of %s, %s/s; %d of %d files",
                        bar(share(done, total, filesDone, files)),
                        Sizes.human(done),
                        Sizes.human(total),
                        rate,
                        filesDone,
                        files)
                : String.format(Locale.ROOT, "%s, %s/s; %d files", Sizes.human(done), rate, filesDone);
    }

    /** Of bytes, or of files if all of them are empty. */
    private static double share(long done, long total, long filesDone, long files) {
        double share = total > 0 ? (double) done / total : (double) filesDone / Math.max(1, files);
        return Math.min(1.0, share);
    }

    private static String bar(double share) {
        int filled = (int) (share * BAR);
        return String.format(
                Locale.ROOT, "%3.0f %% [%s%s] ", 100 * share, "=".repeat(filled), " ".repeat(BAR - filled));
    }

    @Override
    public void close() {
        line.close();
    }
}

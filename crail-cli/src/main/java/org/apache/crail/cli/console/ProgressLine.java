/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A line on a terminal that is drawn anew now and then, from the second second on, and erased in the end; nothing when
 * no person watches. All methods are thread safe.
 */
public final class ProgressLine implements AutoCloseable {
    private static final long FIRST_MS = 1_000;
    private static final long PERIOD_MS = 250;
    private static final String ERASE = "\r\u001b[K";

    private final Console console;
    private final Supplier<String> text;
    private final ScheduledExecutorService timer;
    private boolean drawn;
    private boolean closed;

    private ProgressLine(Console console, Supplier<String> text, ScheduledExecutorService timer) {
        this.console = console;
        this.text = text;
        this.timer = timer;
    }

    /**
     * Begins to draw.
     *
     * @param wanted whether the user wants to see it
     * @param text gives the line, in a thread of its own
     */
    public static ProgressLine start(Console console, boolean wanted, Supplier<String> text) {
        if (!wanted || !console.isTerminal()) {
            return new ProgressLine(console, text, null);
        }
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "progress");
            thread.setDaemon(true);
            return thread;
        });
        ProgressLine line = new ProgressLine(console, text, timer);
        Future<?> ignored = timer.scheduleAtFixedRate(line::draw, FIRST_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
        return line;
    }

    private synchronized void draw() {
        if (closed) {
            return;
        }
        drawn = true;
        console.err().print(ERASE + text.get());
        console.err().flush();
    }

    @Override
    public synchronized void close() {
        closed = true;
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

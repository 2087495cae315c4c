/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * The one timer thread of a process, a daemon; tasks must be short. A periodic task goes on whatever one of its runs
 * throws. All methods are thread safe.
 */
public final class SharedTimer {
    private static final PeerLog FAILURES = new PeerLog(LoggerFactory.getLogger(SharedTimer.class));
    private static final ScheduledThreadPoolExecutor EXECUTOR = newExecutor();

    private SharedTimer() {}

    /** Runs the task each {@code periodMs} milliseconds until the future is cancelled. */
    public static Future<?> every(long periodMs, Runnable task) {
        Surroundings.Simulated simulated = Surroundings.simulated();
        if (simulated != null) {
            return simulated.every(periodMs, task);
        }
        return EXECUTOR.scheduleWithFixedDelay(() -> runLogged(task), periodMs, periodMs, TimeUnit.MILLISECONDS);
    }

    /** Runs the task once, {@code delayMs} milliseconds from now, unless the future is cancelled before. */
    public static Future<?> after(long delayMs, Runnable task) {
        Surroundings.Simulated simulated = Surroundings.simulated();
        if (simulated != null) {
            return simulated.after(delayMs, task);
        }
        return EXECUTOR.schedule(() -> runLogged(task), delayMs, TimeUnit.MILLISECONDS);
    }

    private static void runLogged(Runnable task) {
        LastResort.run(
                task,
                e -> FAILURES.error(
                        "a timer task failed ({}); later ones go on",
                        e.getClass().getSimpleName(),
                        e));
    }

    private static ScheduledThreadPoolExecutor newExecutor() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "crail-timer");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }
}

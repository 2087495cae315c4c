/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Daemon threads for what can take its time, as many as there are such tasks, each gone after some idle seconds. The
 * common pool is no place for these: on two processors it has a single thread, which one slow name service would keep
 * from everybody else in the process. Thread safe.
 */
public final class BackgroundThreads {
    private static final int IDLE_S = 10;
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static final ThreadPoolExecutor THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_S, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "crail-background-" + STARTED.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            });

    private BackgroundThreads() {}

    /**
     * Runs each task at once, on a thread that no other task waits for. Throws RejectedExecutionException if no thread
     * can be had; the task has not run then.
     */
    public static Executor executor() {
        return BackgroundThreads::execute;
    }

    private static void execute(Runnable task) {
        Surroundings.Simulated simulated = Surroundings.simulated();
        if (simulated != null) {
            simulated.execute(task);
            return;
        }
        try {
            THREADS.execute(task);
        } catch (OutOfMemoryError e) {
            throw new RejectedExecutionException(
                    "no thread can be had (" + e.getMessage()
                            + "); raise the limits of threads and memory of this process, or start fewer threads in it",
                    e);
        }
    }

    /** Runs a task on another thread; on this one if the executor does not take it, for what must not wait. */
    public static void runElsewhere(Executor executor, Runnable task) {
        boolean isTaken = false;
        try {
            executor.execute(task);
            isTaken = true;
        } catch (RuntimeException | Error e) {
            // No thread or no memory for one: this thread has both.
        }
        if (!isTaken) {
            task.run();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.util.concurrent.Executor;
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
    private static final Executor EXECUTOR =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_S, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "crail-background-" + STARTED.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            });

    private BackgroundThreads() {}

    /** Runs each task at once, on a thread that no other task waits for. */
    public static Executor executor() {
        Surroundings.Simulated simulated = Surroundings.simulated();
        return simulated == null ? EXECUTOR : simulated::execute;
    }
}

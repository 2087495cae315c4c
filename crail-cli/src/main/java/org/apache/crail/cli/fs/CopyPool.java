/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.crail.cli.fs.FsSubcommand.Step;

/**
 * Copies several files at once. What is submitted when all threads are busy and enough is waiting is done by the submitter,
 * so that a tree of any size needs bounded memory. Used by one thread.
 */
final class CopyPool {
    private static final int WAITING_PER_THREAD = 4;

    private final FsSubcommand command;
    private final ThreadPoolExecutor threads;

    /**
     * Makes a pool.
     *
     * @param command told of failures
     */
    CopyPool(FsSubcommand command, int size) {
        this.command = command;
        this.threads = new ThreadPoolExecutor(
                size,
                size,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(size * WAITING_PER_THREAD),
                CopyPool::newThread,
                new ThreadPoolExecutor.CallerRunsPolicy());
    }

    private static Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "copy");
        thread.setDaemon(true);
        return thread;
    }

    /** Does something at once; a failure is reported and the rest still done. */
    void attempt(Step step) throws InterruptedException {
        command.attempt(step);
    }

    /** Does a copy soon. */
    void submit(Step copy) {
        threads.execute(() -> {
            try {
                command.attempt(copy);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Waits for all copies. */
    void finish() throws InterruptedException {
        threads.shutdown();
        // A copy that hangs ends by the time limits of the store.
        if (!threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("copies are still under way");
        }
    }
}

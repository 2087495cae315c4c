/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.crail.cli.fs.FsSubcommand.Step;
import org.apache.crail.internal.BackgroundThreads;

/**
 * Copies several files at once. What is submitted when all threads are busy and enough is waiting is done by the
 * submitter, so that a tree of any size needs bounded memory. Used by one thread.
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
    void attempt(String subject, Step step) throws InterruptedException {
        command.attempt(subject, step);
    }

    /** Does a copy soon; not any more once this thread has been interrupted. */
    void submit(String subject, Step copy) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before " + subject);
        }
        BackgroundThreads.runElsewhere(threads, () -> {
            try {
                command.attempt(subject, copy);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Waits for all copies; if that is interrupted, they end and clean up first. */
    void finish() throws InterruptedException {
        threads.shutdown();
        try {
            awaitAll();
        } catch (InterruptedException e) {
            threads.shutdownNow();
            awaitAll();
            throw e;
        }
    }

    private void awaitAll() throws InterruptedException {
        // A copy that hangs ends by the time limits of the store.
        if (!threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("copies are still under way");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.crail.cli.console.FailureText;
import org.apache.crail.cli.console.Progress;
import org.apache.crail.cli.fs.FsSubcommand.Step;
import org.apache.crail.error.BlocksPendingException;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.internal.BackgroundThreads;

/**
 * Copies several files at once. What is submitted when all threads are busy and enough is waiting is done by the
 * submitter, so that a tree of any size needs bounded memory. Used by one thread.
 */
final class CopyPool {
    private static final int WAITING_PER_THREAD = 4;

    private final FsSubcommand command;
    private final ThreadPoolExecutor threads;
    private final AtomicBoolean full = new AtomicBoolean();

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

    /** Does copies, and waits for all of them. */
    static void copy(FsSubcommand command, CopyOptions options, Copies copies) throws Exception {
        try (Progress progress = Progress.start(command.console(), !options.quiet())) {
            CopyPool pool = new CopyPool(command, options.threads());
            try {
                copies.begin(pool, progress);
                progress.allExpected();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // so that the pool ends what it has begun, too
                throw e;
            } finally {
                pool.finish();
            }
        }
    }

    /** Begins copies. */
    interface Copies {
        void begin(CopyPool pool, Progress progress) throws Exception;
    }

    /** Does something at once; a failure is reported and the rest still done. */
    void attempt(String subject, Step step) throws InterruptedException {
        if (!full.get()) {
            command.attempt(subject, () -> stopIfFull(step));
        }
    }

    /** That the store is full is said once, and nothing further is tried. */
    private void stopIfFull(Step step) throws Exception {
        try {
            step.perform();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) { // what a step declares
            if (!isFull(e)) {
                throw e;
            }
            if (full.compareAndSet(false, true)) {
                throw new IOException(FailureText.line(e) + "; what is not copied yet is left", e);
            }
        }
    }

    private static boolean isFull(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof NoFreeBlocksException || cause instanceof BlocksPendingException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    /** Does a copy soon; not any more once this thread has been interrupted. */
    void submit(String subject, Step copy) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before " + subject);
        }
        BackgroundThreads.runElsewhere(threads, () -> {
            try {
                attempt(subject, copy);
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.internal.Surroundings;

/**
 * Calls what declares {@code throws Exception}, as the direct streams and stores do, on behalf of {@code java.io}
 * streams, which throw {@link IOException}. Thread safe.
 */
final class Calls {
    private Calls() {}

    /** A call without a result. */
    interface Action {
        void run() throws Exception;
    }

    /**
     * Calls; a failure that is no {@link IOException} becomes an {@link InternalErrorException}, with {@code what} and
     * the failure in its message.
     */
    static <T> T io(String what, Callable<T> call) throws IOException {
        try {
            return call.call();
        } catch (IOException e) {
            throw e;
        } catch (UncheckedIOException e) {
            throw again(what, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(what, e);
        } catch (Exception e) { // the historic signatures declare nothing narrower
            throw new InternalErrorException(what + " failed: " + e, e);
        }
    }

    /** As {@link #io}, for calls without a result. */
    static void run(String what, Action action) throws IOException {
        Object ignored = io(what, () -> {
            action.run();
            return null;
        });
    }

    /** Runs all actions even if some fail; then throws the first failure, with the others suppressed. */
    static void all(String what, Action... actions) throws IOException {
        IOException failure = null;
        for (Action action : actions) {
            try {
                run(what, action);
            } catch (IOException e) {
                failure = merge(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static IOException merge(IOException first, IOException next) {
        if (first == null) {
            return next;
        }
        if (first != next) {
            first.addSuppressed(next);
        }
        return first;
    }

    /** Waits for a future; its failure is thrown as by {@link #again}. */
    static <T> T await(String what, Future<T> future) throws IOException {
        long ignored = Surroundings.beforeWait(future, Long.MAX_VALUE);
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw again(what, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(what, e);
        }
    }

    /** As {@link #await}, but an interrupt only shows afterwards, in the thread's flag. */
    static <T> T awaitUninterruptibly(String what, Future<T> future) throws IOException {
        long ignored = Surroundings.beforeWait(future, Long.MAX_VALUE);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw again(what, e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits at most a millisecond; whoever wants the result sees a failure. */
    static void awaitBriefly(Future<?> future) {
        try {
            Object ignored = future.get(1, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // reading tells
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until a future is done, however it ends. */
    static void settle(Future<?> future) {
        try {
            Object ignored = awaitUninterruptibly("waiting", future);
        } catch (IOException e) {
            // whoever wants the result sees the failure; here it only matters that the operation is over
        }
    }

    /** A new exception of the type of {@code cause}, so that one failure can be thrown several times. */
    static IOException again(String what, Throwable cause) {
        if (cause instanceof CrailException typed) {
            return typed.again(what + " failed: " + typed.getMessage());
        }
        return cause instanceof IOException
                ? new IOException(what + " failed: " + cause, cause)
                : new InternalErrorException(what + " failed: " + cause, cause);
    }

    private static InterruptedIOException interrupted(String what, InterruptedException cause) {
        InterruptedIOException exception = new InterruptedIOException(what + " was interrupted");
        exception.initCause(cause);
        return exception;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.call;

import java.io.InterruptedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.internal.Surroundings;

/**
 * Waits for futures at the edge to blocking callers. Stateless, thread safe. Never called by who does a transport's
 * work.
 */
public final class Waiting {
    private Waiting() {}

    /**
     * Waits for a result.
     *
     * @throws CrailException the failure of the operation, with this thread's stack; OperationTimeoutException after
     *     the limit, which is a last resort as operations have limits of their own
     * @throws InterruptedIOException if the thread is interrupted, whose flag stays set
     */
    public static <T> T await(String what, Future<T> future, long limitMs)
            throws CrailException, InterruptedIOException {
        try {
            return get(what, future, limitMs);
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }

    /**
     * As {@link #await}, for what must not be left half done: an interrupt does not end the wait, and only shows
     * afterwards in the thread's flag.
     */
    public static <T> T settle(String what, Future<T> future, long limitMs) throws CrailException {
        boolean isInterrupted = false;
        long beginNs = Surroundings.nanoTime();
        try {
            while (true) {
                long passedMs = TimeUnit.NANOSECONDS.toMillis(Surroundings.nanoTime() - beginNs);
                try {
                    return get(what, future, Math.max(0, limitMs - passedMs));
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static <T> T get(String what, Future<T> future, long limitMs) throws CrailException, InterruptedException {
        try {
            long limitNs = Surroundings.beforeWait(future, TimeUnit.MILLISECONDS.toNanos(limitMs));
            return future.get(limitNs, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw again(what, e.getCause());
        } catch (TimeoutException e) {
            throw new OperationTimeoutException(
                    what + " did not finish within " + limitMs + " ms; check the servers", e);
        }
    }

    /** Lets some time pass; fails like {@link #await} if the thread is interrupted. */
    public static void pause(String what, long pauseMs) throws InterruptedIOException {
        try {
            Surroundings.pause(pauseMs);
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }

    private static InterruptedIOException interrupted(String what, InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted = new InterruptedIOException(what + " was interrupted");
        interrupted.initCause(cause);
        return interrupted;
    }

    /** The same failure as an exception of this thread, so that one failure can be thrown several times. */
    public static CrailException again(String what, Throwable failure) {
        CrailException typed = typed(what, failure);
        return typed.again(typed.getMessage());
    }

    /** As {@link #typed}, with what was tried in front of a failure that names no path: that of a stale node. */
    public static CrailException named(String what, Throwable failure) {
        CrailException typed = typed(what, failure);
        return typed.code() == ErrorCode.STALE_NODE ? typed.again(what + ": " + typed.getMessage()) : typed;
    }

    /** The typed failure inside what a future gave. */
    public static CrailException typed(String what, Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof CrailException known ? known : new InternalErrorException(what + ": " + cause, cause);
    }
}

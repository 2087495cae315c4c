/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.crail.error.CrailException;

/** Calls what declares {@code throws Exception}, and waits for its results. Stateless. */
final class StoreCalls {
    private StoreCalls() {}

    /** A call without a result. */
    interface Action {
        void run() throws Exception;
    }

    /** A call; an interrupt of its thread shows as {@link InterruptedIOException}, and in the thread's flag. */
    static <T> T io(String what, Callable<T> call) throws IOException {
        try {
            return call.call();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException(what + " was interrupted");
            interrupted.initCause(e);
            throw interrupted;
        } catch (Exception e) { // the historic signatures declare nothing narrower
            throw new IOException(what + " failed: " + e, e);
        }
    }

    /** As {@link #io}, without a result. */
    static void run(String what, Action action) throws IOException {
        Object ignored = io(what, () -> {
            action.run();
            return null;
        });
    }

    /** As {@link #run}, whether or not this thread was interrupted before; that shows in its flag afterwards. */
    static void runAnyway(String what, Action action) throws IOException {
        boolean isInterrupted = Thread.interrupted();
        try {
            run(what, action);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Begins an operation and waits for its result; a failure of the store is thrown as it is. */
    static <T> T await(String what, Callable<? extends Future<T>> operation) throws IOException {
        return io(what, () -> {
            try {
                return operation.call().get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof CrailException typed) {
                    throw typed.again(typed.getMessage());
                }
                throw e;
            }
        });
    }
}

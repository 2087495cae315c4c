/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.crail.error.CrailException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to targets. jNVMf waits for some answers without a limit, so each attempt has a thread of its own, and there
 * is no further one for the same purpose before the last has ended. Thread safe.
 *
 * @param <T> what a connection is
 */
final class NvmfConnector<T> {
    private static final Logger LOG = LoggerFactory.getLogger(NvmfConnector.class);

    /** How our native library tells that the target's connection manager refused, as a busy one does. */
    private static final String REFUSED = "RDMA_CM_EVENT_REJECTED, status 28";

    /** After a refusal. There are few attempts: each that fails leaves a thread of jNVMf behind (P39). */
    private static final long[] PAUSES_MS = {100, 300, 1_000};

    private final Opener<T> opener;
    private final Consumer<T> closer;
    private final Map<String, CompletableFuture<T>> attempts = new HashMap<>();

    /** Makes a connection; may block. */
    interface Opener<T> {
        T open(Target target) throws IOException;
    }

    NvmfConnector(Opener<T> opener, Consumer<T> closer) {
        this.opener = opener;
        this.closer = closer;
    }

    /**
     * Connects, again after a pause if a busy target refuses; blocks for no longer than the limit.
     *
     * @param purpose what for; there is one attempt at a time for each
     */
    T connect(String purpose, Target target, long timeoutMs) throws IOException {
        CompletableFuture<T> attempt = begin(purpose, target);
        try {
            return attempt.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            attempt.thenAccept(closer); // should it succeed after all
            throw new IOException(target + " did not answer within " + timeoutMs + " ms", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CrailException typed) {
                throw typed.again(target + ": " + typed.getMessage());
            }
            throw new IOException(target + ": " + messages(e.getCause()), e.getCause());
        } catch (InterruptedException e) {
            attempt.thenAccept(closer);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting to " + target, e);
        }
    }

    private CompletableFuture<T> begin(String purpose, Target target) throws IOException {
        CompletableFuture<T> attempt = new CompletableFuture<>();
        synchronized (attempts) {
            if (attempts.putIfAbsent(purpose, attempt) != null) {
                throw new IOException(target + " has not answered an earlier attempt to connect");
            }
        }
        Thread thread = new Thread(() -> run(purpose, target, attempt), "crail-nvmf-open");
        thread.setDaemon(true);
        boolean started = false;
        try {
            thread.start();
            started = true;
        } finally {
            if (!started) { // there is no memory for a thread
                forget(purpose);
            }
        }
        return attempt;
    }

    private void run(String purpose, Target target, CompletableFuture<T> attempt) {
        T opened = null;
        Throwable failure = null;
        try {
            opened = openPatiently(target);
        } catch (IOException
                | RuntimeException
                | Error e) { // as when memory is short; otherwise nobody would ever connect again
            failure = e;
        }
        forget(purpose);
        if (failure == null) {
            attempt.complete(opened);
        } else {
            attempt.completeExceptionally(failure);
        }
    }

    private void forget(String purpose) {
        synchronized (attempts) {
            attempts.remove(purpose);
        }
    }

    private T openPatiently(Target target) throws IOException {
        for (long pauseMs : PAUSES_MS) {
            try {
                return opener.open(target);
            } catch (IOException e) {
                if (!messages(e).contains(REFUSED)) {
                    throw e;
                }
                LOG.debug("{} refused; next attempt in {} ms", target, pauseMs, e);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMs));
        }
        return opener.open(target);
    }

    /** The messages of a failure and its causes: jNVMf wraps what DiSNI says. */
    private static String messages(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return String.valueOf(last.getMessage()).strip();
    }
}

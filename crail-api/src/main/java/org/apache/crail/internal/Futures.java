/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Adapts futures. Thread safe. */
public final class Futures {
    private Futures() {}

    /**
     * A stage with the result of {@code future}. If the future is not done, a background thread waits for it:
     * implementations that can do better override the method that calls this.
     */
    public static <T> CompletableFuture<T> toCompletable(Future<T> future) {
        if (future instanceof CompletableFuture<T> stage) {
            return stage.copy();
        }
        if (!future.isDone()) {
            return CompletableFuture.supplyAsync(() -> join(future), BackgroundThreads.executor());
        }
        try {
            return CompletableFuture.completedFuture(join(future));
        } catch (CompletionException e) {
            return CompletableFuture.failedFuture(e.getCause());
        }
    }

    private static <T> T join(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }
}

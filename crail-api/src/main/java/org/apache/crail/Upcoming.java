/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.crail.internal.Futures;

/**
 * The result of an operation on the namespace. It completes by itself; asking is not needed for side effects to happen.
 * {@link #get(long, java.util.concurrent.TimeUnit)} honours its timeout. Failures are
 * {@link org.apache.crail.error.CrailException}s inside an {@link java.util.concurrent.ExecutionException}. All methods
 * are thread safe.
 */
public interface Upcoming<T> extends Future<T> {
    /**
     * Gives what can be used before the operation has completed. For the creation of a file or key-value this is a
     * proxy, at once, whose first real use waits for the node; a failure shows then, as an unchecked exception from
     * methods that declare none. Everywhere else this is {@link #get()}.
     *
     * @throws Exception the failure of the operation, if it waits for it
     */
    T early() throws Exception;

    /**
     * The same result as a stage of modern code. Completing or cancelling what this gives does not affect the
     * operation. Unlike the exceptional result of {@link #get()}, the failure is the {@code CrailException} itself.
     */
    default CompletableFuture<T> toCompletableFuture() {
        return Futures.toCompletable(this);
    }
}

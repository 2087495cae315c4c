/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.metadata.DataNodeInfo;

/**
 * Which datanodes' targets may still have writes of connections that have ended. Such a write would otherwise be done
 * after what comes next to the same sector: the same write again, or one of its neighbours. Thread safe.
 */
final class FormerWrites {
    private final ConcurrentMap<DataNodeInfo, CompletableFuture<Void>> pending = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /**
     * A connection is about to end.
     *
     * @param settled completes when the target is through with its writes
     */
    void add(DataNodeInfo datanode, CompletableFuture<Void> settled) {
        CompletableFuture<Void> all =
                pending.merge(datanode, settled, (before, last) -> CompletableFuture.allOf(before, last));
        all.whenComplete((done, failure) -> pending.remove(datanode, all));
    }

    /** For how many datanodes there are some. */
    int size() {
        return pending.size();
    }

    /**
     * Waits until there are none.
     *
     * @throws ClosedException if the store is closed, also meanwhile
     */
    void await(DataNodeInfo datanode, long limitMs) throws IOException {
        CompletableFuture<Void> former = pending.get(datanode);
        try {
            if (former != null) {
                CompletableFuture.anyOf(former, closed).get(limitMs, TimeUnit.MILLISECONDS);
            }
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException("the former connection could not be closed within " + limitMs + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the former connection was closed", e);
        }
        if (closed.isDone()) {
            throw new ClosedException("the store has been closed");
        }
    }

    /** Nobody waits any more. */
    void close() {
        closed.complete(null);
    }
}

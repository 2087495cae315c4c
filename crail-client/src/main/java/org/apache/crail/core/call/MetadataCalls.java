/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.call;

import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.rpc.client.PendingCall;
import org.apache.crail.rpc.message.Response;

/**
 * The calls of a store to its namenodes: who answers them, which are in flight, and how to wait for what follows. All
 * methods are thread safe.
 */
public final class MetadataCalls {
    private final NamenodeRouter router;
    private final ClusterSettings settings;
    private final InFlight operations = new InFlight();

    /** Makes one for a router that has connected, and what the namenodes have told of their cluster. */
    public MetadataCalls(NamenodeRouter router, ClusterSettings settings) {
        this.router = router;
        this.settings = settings;
    }

    public NamenodeRouter router() {
        return router;
    }

    public ClusterSettings settings() {
        return settings;
    }

    /** Creates, lookups, renames, deletes, and tokens that are given back, which have not completed. */
    public InFlight operations() {
        return operations;
    }

    /** Waits for what this thread has asked the namenode for. */
    public <R extends Response> R await(String what, PendingCall<R> asked) throws IOException {
        return await(what, asked, asked);
    }

    /** Waits for what does not follow from a single call of this thread. */
    public <T> T await(String what, Future<T> result) throws IOException {
        return await(what, result, null);
    }

    private <T> T await(String what, Future<T> result, PendingCall<?> asked) throws IOException {
        long limitNs = Surroundings.beforeWait(result, TimeUnit.MILLISECONDS.toNanos(waitLimitMs()));
        router.await(result, asked, limitNs);
        return Waiting.await(what, result, waitLimitMs());
    }

    /** Does what this thread can for a result, which follows from a call unless that is null. */
    void advance(Future<?> awaited, PendingCall<?> asked, long limitNs) {
        router.await(awaited, asked, limitNs);
    }

    /** Waits for what follows from a call of this thread, also if it is interrupted. */
    public <T> T settle(String what, Future<T> result, PendingCall<?> asked) throws IOException {
        router.await(result, asked, TimeUnit.MILLISECONDS.toNanos(waitLimitMs()));
        return Waiting.settle(what, result, waitLimitMs());
    }

    /** How long to wait for an operation that ends by itself: so long that not this limit, but its own shows. */
    public long waitLimitMs() {
        return 2 * settings.operationTimeoutMs()
                + settings.rpcTimeoutMs()
                + settings.reclaimingMs()
                + TimeUnit.SECONDS.toMillis(1);
    }
}

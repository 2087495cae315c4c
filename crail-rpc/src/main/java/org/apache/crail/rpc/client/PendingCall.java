/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import java.util.concurrent.CompletableFuture;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.Response;

/** A request whose answer has not arrived. The id is set once, when the call enters the window. */
final class PendingCall<R extends Response> extends CompletableFuture<R> {
    static final long NO_ID = 0;

    final Request<R> request;
    final long sentNs;
    final long limitMs;
    final long deadlineNs;

    /** Guarded by the window. */
    long requestId = NO_ID;

    PendingCall(Request<R> request, long sentNs, long limitMs) {
        this.request = request;
        this.sentNs = sentNs;
        this.limitMs = limitMs;
        this.deadlineNs = sentNs + limitMs * 1_000_000L;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}

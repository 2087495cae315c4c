/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.call;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailPath;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.HostPort;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.rpc.client.CallCounters;
import org.apache.crail.rpc.client.NamenodeAddress;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.client.PendingCall;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * Knows which namenode owns a path or a node, asks it, and waits for its answers. There is one so far; the places where
 * a second one matters go through the methods of this class. All methods are thread safe.
 */
public final class NamenodeRouter implements AutoCloseable {
    /** What the waiting thread adds to the limit of the session, so that it learns the reason. */
    private static final long GRACE_MS = 1_000;

    private static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final NamenodeConnection connection;
    private final RpcTransport transport;
    private final boolean ownsTransport;
    private final long connectTimeoutMs;
    private final IdleStrategy idle;

    private NamenodeRouter(
            NamenodeConnection connection,
            RpcTransport transport,
            boolean ownsTransport,
            long connectTimeoutMs,
            IdleStrategy idle) {
        this.connection = connection;
        this.transport = transport;
        this.ownsTransport = ownsTransport;
        this.connectTimeoutMs = connectTimeoutMs;
        this.idle = idle;
    }

    /**
     * Prepares connections to the namenodes of {@code conf}.
     *
     * @param given a transport that the caller closes, or null to make the one that {@code conf} names
     */
    public static NamenodeRouter create(CrailConfiguration conf, RpcTransport given) throws CrailException {
        HostPort address = NamenodeAddress.of(conf);
        long connectTimeoutMs = conf.get(CrailKeys.CONNECT_TIMEOUT).toMillis();
        RpcTransport transport =
                given != null ? given : RpcTransport.createInstance(conf.get(CrailKeys.NAMENODE_RPC_TYPE), conf);
        NamenodeConnection connection = NamenodeConnection.of(transport, address::resolve, conf);
        IdleStrategy idle = new IdleStrategy(IdleStrategy.Kind.of(conf.get(CrailKeys.IDLE_STRATEGY)));
        return new NamenodeRouter(connection, transport, given == null, connectTimeoutMs, idle);
    }

    /** What carries the calls. */
    public RpcTransport transport() {
        return transport;
    }

    /**
     * Opens the sessions and answers what the namenodes say of their cluster; fails after crail.connecttimeout, or
     * twice that time.
     */
    public HelloResponse connect() throws IOException {
        return Waiting.await(
                "opening a session with the namenode", connection.connect(), 2 * connectTimeoutMs + GRACE_MS);
    }

    /**
     * Asks the namenode that owns {@code path}, by a thread that soon calls {@link #await}; otherwise the answer may be
     * 1 ms late.
     */
    @SuppressWarnings("unused") // the path will choose the namenode
    public <R extends Response> PendingCall<R> askForPath(CrailPath path, Request<R> request) {
        return connection.callAwaited(request);
    }

    /** Asks the namenode that owns the node {@code fd}; as {@link #askForPath}. */
    @SuppressWarnings("unused") // the id will choose the namenode
    public <R extends Response> PendingCall<R> askForNode(long fd, Request<R> request) {
        return connection.callAwaited(request);
    }

    /**
     * Waits for a short while, by a thread that is going to wait. Returns when the result is there, or when this thread
     * can do no more for it than to park.
     *
     * @param asked the call that brings the result, or null if there is no such single one
     * @param limitNs how long the thread is going to wait
     */
    void await(Future<?> awaited, PendingCall<?> asked, long limitNs) {
        if (awaited.isDone() || limitNs < LEAST_NS) {
            return;
        }
        if (asked == null || !asked.beginWatch()) {
            connection.await(awaited::isDone, idle, limitNs);
            return;
        }
        try {
            connection.await(
                    () -> {
                        asked.look();
                        return awaited.isDone();
                    },
                    idle,
                    limitNs);
        } finally {
            asked.endWatch();
        }
    }

    /** Asks the namenode that owns {@code path}; nobody waits for the answer itself. */
    @SuppressWarnings("unused") // the path will choose the namenode
    public <R extends Response> PendingCall<R> callForPath(CrailPath path, Request<R> request) {
        return connection.call(request);
    }

    /** Asks the namenode that owns the node {@code fd}; nobody waits for the answer itself. */
    @SuppressWarnings("unused") // the id will choose the namenode
    public <R extends Response> PendingCall<R> callForNode(long fd, Request<R> request) {
        return connection.call(request);
    }

    /**
     * Tells the namenode that owns the node {@code fd} something that has time, together with the next request; nobody
     * waits for the answer.
     */
    @SuppressWarnings("unused") // the id will choose the namenode
    public <R extends Response> CompletableFuture<R> tellForNode(long fd, Request<R> request) {
        return connection.tell(request);
    }

    /** Asks any namenode, about what is equal for all of them. */
    public <R extends Response> CompletableFuture<R> callAny(Request<R> request) {
        return connection.call(request);
    }

    /** Calls by operation. */
    public CallCounters counters() {
        return connection.counters();
    }

    @Override
    public void close() {
        connection.close();
        if (ownsTransport) {
            transport.close();
        }
    }
}

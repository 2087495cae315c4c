/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.BlocksPendingException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.SessionLostException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * A client's connection to one namenode: any number of calls in flight, each with a time limit, over a channel that is
 * made anew when it breaks. Calls that were in flight are then sent again under their old ids, and the namenode answers
 * them as it did, or would have done, the first time. Futures complete on the transport's threads, or in a thread that
 * waits for what it has asked, those of {@link #tell} in any that waits. All methods are thread safe.
 */
public final class NamenodeConnection implements AutoCloseable {
    private final CallWindow window = new CallWindow(HelloRequest.WINDOW_SIZE);
    private final CallCounters counters = new CallCounters();
    private final SessionKeeper session;
    private final long timeoutMs;
    private final Executor threads;
    private final Future<?> sweep;
    private volatile boolean closed;

    /**
     * Makes a connection; nothing is sent before the first call or {@link #connect()}.
     *
     * @param address asked anew for each attempt, on a thread that may wait for the name service
     * @param clusterId the cluster that the namenode must serve
     * @param timeoutMs the time limit of a call
     * @param connectTimeoutMs the time limit of opening a session
     */
    public NamenodeConnection(
            RpcTransport transport,
            Supplier<InetSocketAddress> address,
            String clusterId,
            long timeoutMs,
            long connectTimeoutMs) {
        this(transport, address, clusterId, timeoutMs, connectTimeoutMs, BackgroundThreads.executor());
    }

    /**
     * Makes a connection as above.
     *
     * @param threads runs what can take its time; may refuse, as when there is no thread
     */
    NamenodeConnection(
            RpcTransport transport,
            Supplier<InetSocketAddress> address,
            String clusterId,
            long timeoutMs,
            long connectTimeoutMs,
            Executor threads) {
        this.timeoutMs = timeoutMs;
        this.threads = threads;
        this.session = new SessionKeeper(transport, address, clusterId, (int) connectTimeoutMs, new Events(), threads);
        this.sweep = SharedTimer.every(Math.max(5, Math.min(100, timeoutMs / 10)), this::failExpired);
    }

    /** Makes a connection with the cluster and the time limits of a configuration. */
    public static NamenodeConnection of(
            RpcTransport transport, Supplier<InetSocketAddress> address, CrailConfiguration configuration)
            throws ConfigurationException {
        return new NamenodeConnection(
                transport,
                address,
                configuration.get(CrailKeys.CLUSTER_ID),
                configuration.get(CrailKeys.RPC_TIMEOUT).toMillis(),
                configuration.get(CrailKeys.CONNECT_TIMEOUT).toMillis());
    }

    /**
     * Opens the session if it is not open yet, retrying until the time limit of connecting; fails with
     * NamenodeUnreachableException, ProtocolMismatchException or ClusterMismatchException.
     */
    public CompletableFuture<HelloResponse> connect() {
        return session.open();
    }

    /** What the namenode told when the session was opened last; null before. */
    public HelloResponse cluster() {
        return session.cluster();
    }

    /** Whether there is a session, by all that is known; a call would be sent at once. */
    public boolean isOpen() {
        return session.isOpen();
    }

    /** Calls by operation. */
    public CallCounters counters() {
        return counters;
    }

    /** Calls with the connection's own time limit. */
    public <R extends Response> PendingCall<R> call(Request<R> request) {
        return call(request, timeoutMs, RpcChannel::send);
    }

    /** As {@link #call(Request)}, by a thread that will call {@link #await} next, or soon. */
    public <R extends Response> PendingCall<R> callAwaited(Request<R> request) {
        return call(request, timeoutMs, RpcChannel::sendAwaited);
    }

    /**
     * As {@link #call(Request)}, for what nobody waits for: the request may leave together with the next one, some
     * milliseconds later.
     */
    public <R extends Response> CompletableFuture<R> tell(Request<R> request) {
        return call(request, timeoutMs, RpcChannel::sendWithNext);
    }

    /** Waits for a short while for what answers bring; see {@link RpcChannel#await}. */
    public void await(BooleanSupplier hasCome, IdleStrategy idle, long limitNs) {
        session.await(hasCome, idle, limitNs);
    }

    /**
     * Sends a request without waiting.
     *
     * @return completes with the answer, the namenode's typed error, NamenodeUnreachableException when there was no
     *     connection until the time limit, OperationTimeoutException when there was no answer, ClosedException
     */
    <R extends Response> CompletableFuture<R> call(Request<R> request, long limitMs) {
        return call(request, limitMs, RpcChannel::send);
    }

    private <R extends Response> PendingCall<R> call(Request<R> request, long limitMs, SessionKeeper.Way way) {
        PendingCall<R> call = new PendingCall<>(request, Surroundings.nanoTime(), limitMs);
        if (closed) {
            call.completeExceptionally(closedError());
            return call;
        }
        counters.countCall(request.operation());
        RequestFrame frame = window.add(call);
        if (closed) {
            failAll(closedError());
        } else if (frame != null) {
            session.send(frame, way);
        } else {
            sendWaiting(); // there may be places by now for those before it
        }
        return call;
    }

    @Override
    public void close() {
        closed = true;
        session.close();
        failAll(closedError());
        sweep.cancel(false); // last: should there be no memory to fail a call, it ends at its limit
    }

    private void failAll(CrailException reason) {
        for (PendingCall<?> call : window.unfinished()) {
            call.completeExceptionally(reason);
        }
    }

    private ClosedException closedError() {
        return new ClosedException("the connection to namenode " + session.target() + " has been closed");
    }

    private void failExpired() {
        long nowNs = Surroundings.nanoTime();
        List<PendingCall<?>> expired = window.expired(nowNs);
        if (!expired.isEmpty()) {
            List<CrailException> errors =
                    expired.stream().map(this::expiredError).toList();
            expired.forEach(call -> session.dropIfSilentSince(call.sentNs));
            // What is chained to a call may take its time, and the timer should not wait for it.
            BackgroundThreads.runElsewhere(threads, () -> failAll(expired, errors));
        }
        window.resumePostponed(nowNs);
        sendWaiting();
    }

    /** Should one of them keep this thread, the next sweep has another one fail the rest. */
    private void failAll(List<PendingCall<?>> expired, List<CrailException> errors) {
        for (int i = 0; i < errors.size(); i++) {
            expired.get(i).expire(errors.get(i));
        }
        sendWaiting();
    }

    private CrailException expiredError(PendingCall<?> call) {
        String what = call.request.operation() + " to namenode " + session.target();
        CrailException refusal = window.postponement(call);
        CrailException lastFailure = refusal == null ? session.lastFailure() : refusal;
        if (lastFailure != null) {
            return lastFailure.again(what + ": " + lastFailure.getMessage());
        }
        return new OperationTimeoutException(
                what + " had no answer within " + call.limitMs() + " ms; check the namenode or raise crail.rpctimeout");
    }

    private void end(PendingCall<?> call, Object outcome) {
        call.end(outcome);
        sendWaiting();
    }

    private void sendWaiting() {
        RequestFrame frame = window.admitWaiting();
        while (frame != null) {
            session.send(frame, RpcChannel::send);
            frame = window.admitWaiting();
        }
    }

    /** So long a block waits that has been given back. */
    private long reclaimingNs() {
        HelloResponse cluster = session.cluster();
        return cluster == null ? 0 : TimeUnit.MILLISECONDS.toNanos(cluster.tokenExpirationMs());
    }

    /** The answer, or a failure. */
    private static Object outcome(PendingCall<?> call, int status, ByteBuffer body) {
        if (status != ResponseFrame.OK) {
            return ResponseFrame.decodeError(status, body);
        }
        try {
            return call.request.decodeResponse(body);
        } catch (CrailException e) {
            return e;
        } catch (RuntimeException e) {
            return new InternalErrorException("the answer to " + call.request.operation() + " cannot be read: " + e, e);
        }
    }

    /** What the session tells its connection. */
    private final class Events implements SessionKeeper.Listener {
        @Override
        public List<RequestFrame> framesInFlight() {
            List<RequestFrame> frames = window.framesInFlight();
            frames.forEach(frame -> counters.countRetry());
            return frames;
        }

        @Override
        public boolean hasCalls() {
            return !window.isEmpty();
        }

        @Override
        public Runnable onResponse(long requestId, int status, ByteBuffer body) {
            PendingCall<?> call = window.find(requestId);
            if (call == null) {
                return null;
            }
            Object outcome = outcome(call, status, body);
            if (outcome instanceof SessionLostException lost) {
                return () -> {
                    end(call, lost);
                    session.renew(lost);
                };
            }
            if (outcome instanceof BlocksPendingException pending) {
                window.postpone(requestId, pending, Surroundings.nanoTime(), reclaimingNs());
                return NamenodeConnection.this::sendWaiting;
            }
            return call.leave(outcome) ? null : () -> end(call, outcome);
        }

        @Override
        public void onSessionLost(CrailException reason, long untilNs) {
            fail(window.sentOnce(untilNs), reason);
        }

        @Override
        public void onRefused(CrailException reason) {
            fail(window.unfinished(), reason);
        }

        private void fail(List<PendingCall<?>> calls, CrailException reason) {
            calls.forEach(call -> call.completeExceptionally(reason.again(reason.getMessage())));
        }
    }
}

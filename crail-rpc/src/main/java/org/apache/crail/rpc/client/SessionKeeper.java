/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ClusterMismatchException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.error.SessionLostException;
import org.apache.crail.internal.HostPort;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.rpc.message.GoodbyeRequest;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one session with a namenode open while there is something to say: connects, introduces itself, sends again what
 * was in flight, and connects anew when the channel breaks, with growing pauses. All methods are thread safe.
 */
final class SessionKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionKeeper.class);
    private static final long HELLO_ID = 0;
    private static final long FIRST_PAUSE_MS = 10;
    private static final long LONGEST_PAUSE_MS = 500;

    private final RpcTransport transport;
    private final Supplier<InetSocketAddress> address;
    private final int connectTimeoutMs;
    private final Listener listener;
    private final Executor threads;
    private final String clusterId;
    private final List<CompletableFuture<HelloResponse>> openers = new ArrayList<>();

    /** Whose requests are numbered; another one when the namenode has forgotten this one. */
    private UUID clientId = Surroundings.newId();

    /** The incarnation of the namenode that knows the client by this id. */
    private long openedAt = HelloRequest.NOWHERE;

    /** Whether something has gone over the present channel. */
    private boolean mayHaveSent;

    /** When there was a channel last; what is asked later has gone over none that has ended. */
    private long channelEndedNs = Surroundings.nanoTime();

    private State state = State.IDLE;
    private int failedAttempts;
    private long pauseMs = FIRST_PAUSE_MS;
    private Attempt attempt;
    private volatile String target = "(address not looked up yet)";
    private volatile RpcChannel openChannel;
    private volatile HelloResponse cluster;
    private volatile CrailException lastFailure;

    /**
     * Makes a session that is not open.
     *
     * @param threads runs what can take its time; may refuse, as when there is no thread
     */
    SessionKeeper(
            RpcTransport transport,
            Supplier<InetSocketAddress> address,
            String clusterId,
            int connectTimeoutMs,
            Listener listener,
            Executor threads) {
        this.transport = transport;
        this.address = address;
        this.connectTimeoutMs = connectTimeoutMs;
        this.listener = listener;
        this.threads = threads;
        this.clusterId = clusterId;
    }

    /** Where the namenode was sought last, for messages. */
    String target() {
        return target;
    }

    /** What the namenode told when the session was opened last; null before. */
    HelloResponse cluster() {
        return cluster;
    }

    /** Whether there is a session at present. */
    boolean isOpen() {
        return openChannel != null;
    }

    /** Why there is no session at present; null while there is one and before the first attempt has failed. */
    CrailException lastFailure() {
        return lastFailure;
    }

    /**
     * Opens the session; the future fails after the connect timeout, or after twice that time if a single attempt has
     * taken it: a busy host may lose one.
     */
    CompletableFuture<HelloResponse> open() {
        CompletableFuture<HelloResponse> opened = new CompletableFuture<>();
        int failedBefore;
        synchronized (this) {
            failedBefore = failedAttempts;
            if (state == State.OPEN) {
                opened.complete(cluster);
                return opened;
            }
            openers.add(opened);
            connectIfIdle();
        }
        SharedTimer.after(connectTimeoutMs, () -> giveUpIfTriedAgain(opened, failedBefore));
        return opened;
    }

    private void giveUpIfTriedAgain(CompletableFuture<HelloResponse> opened, int failedBefore) {
        int failed;
        synchronized (this) {
            failed = failedAttempts - failedBefore;
        }
        if (failed > 1) {
            giveUp(opened);
        } else {
            SharedTimer.after(connectTimeoutMs, () -> giveUp(opened));
        }
    }

    private void giveUp(CompletableFuture<HelloResponse> opened) {
        CrailException failure = lastFailure;
        opened.completeExceptionally(
                failure != null
                        ? failure
                        : unreachable(
                                "it did not answer within " + connectTimeoutMs + " ms (crail.connecttimeout)", null));
        synchronized (this) {
            openers.removeIf(CompletableFuture::isDone);
        }
    }

    /**
     * Sends a frame if the session is open; if not, opens it, and the frame goes out with all that is in flight.
     *
     * @param way how, if the session is open
     */
    void send(RequestFrame frame, Way way) {
        RpcChannel channel = openChannel;
        if (channel == null) {
            synchronized (this) {
                connectIfIdle();
                channel = openChannel; // none also while the session is renewed, after which the frame goes out
                if (channel != null) {
                    channel.send(frame);
                }
            }
        } else {
            way.send(channel, frame);
        }
    }

    /** See {@link RpcChannel#await}. */
    void await(BooleanSupplier hasCome, IdleStrategy idle, long limitNs) {
        RpcChannel channel = openChannel;
        if (channel != null) {
            channel.await(hasCome, idle, limitNs);
        }
    }

    /** Ends a channel on which nothing has arrived since then: its other end may be gone without a word. */
    void dropIfSilentSince(long sinceNs) {
        Attempt current;
        synchronized (this) {
            current = attempt;
        }
        if (current != null && current.isSilentSince(sinceNs)) {
            onLost(current, silent());
            current.close();
        }
    }

    private synchronized void connectIfIdle() {
        if (state == State.IDLE) {
            connect();
        }
    }

    private synchronized void connect() {
        if (state == State.CLOSED) {
            return;
        }
        Attempt current = new Attempt();
        attempt = current;
        state = State.CONNECTING;
        try {
            // The name service can take its time, and neither callers nor the timer may wait for it.
            CompletableFuture.supplyAsync(address, threads)
                    .thenCompose(found -> {
                        target = HostPort.text(found);
                        return transport.connect(found, connectTimeoutMs, current);
                    })
                    .whenComplete(current::onConnected);
        } catch (RuntimeException | Error e) { // no thread, or no memory for one: later there may be
            onBroken(current, e);
        }
    }

    /** An attempt broke for a reason that may be a lack of memory: whatever else fails, the next call connects anew. */
    private void onBroken(Attempt broken, Throwable failure) {
        try {
            onLost(broken, asCrailException(failure));
            broken.close();
        } finally {
            forget(broken);
        }
    }

    private synchronized void forget(Attempt broken) {
        if (broken == attempt && state != State.CLOSED) {
            attempt = null;
            endChannel();
            state = State.IDLE;
        }
    }

    private CrailException asCrailException(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof CrailException known ? known : unreachable(String.valueOf(cause), cause);
    }

    /** Positions and leases have been reckoned with what the namenode told first. */
    private void requireSameValues(HelloResponse now) throws ClusterMismatchException {
        HelloResponse before = cluster;
        String differences = before == null ? "" : now.differences(before);
        if (!differences.isEmpty()) {
            throw new ClusterMismatchException("namenode " + target + " came back with other values, " + differences
                    + "; restart this program, or the namenode with its former values");
        }
    }

    private void onOpened(Attempt opened, HelloResponse response) {
        List<CompletableFuture<HelloResponse>> done;
        synchronized (this) {
            if (opened != attempt || state != State.CONNECTING) {
                return;
            }
            cluster = response;
            openedAt = response.incarnation();
            mayHaveSent = true;
            listener.framesInFlight().forEach(opened.channel::send);
            pauseMs = FIRST_PAUSE_MS;
            lastFailure = null;
            openChannel = opened.channel;
            state = State.OPEN;
            done = takeOpeners();
        }
        done.forEach(future -> future.complete(response));
    }

    /** The namenode answered, and does not want us: no use in trying again by ourselves. */
    private void onRefused(Attempt refused, CrailException reason) {
        List<CompletableFuture<HelloResponse>> failed;
        synchronized (this) {
            if (refused != attempt || state == State.CLOSED) {
                return;
            }
            attempt = null;
            endChannel();
            beAnother();
            state = State.IDLE;
            lastFailure = reason;
            failed = takeOpeners();
        }
        failed.forEach(future -> future.completeExceptionally(reason));
        listener.onRefused(reason);
        refused.close();
    }

    /**
     * The namenode has forgotten what it answered this client, or takes another one for it: calls that it may have
     * executed fail, as they must not be sent again; all others go on in another session.
     */
    void renew(CrailException reason) {
        Attempt current;
        synchronized (this) {
            if (state != State.OPEN) {
                return;
            }
            current = attempt;
            endChannel();
            beAnother();
        }
        listener.onSessionLost(reason, channelEndedNs());
        onLost(current, reason);
        current.close();
    }

    /** The namenode does not know this client any more. */
    private void onForgotten(Attempt refused, CrailException reason) {
        synchronized (this) {
            if (refused != attempt || state != State.CONNECTING) {
                return;
            }
            beAnother();
        }
        listener.onSessionLost(reason, channelEndedNs());
        onLost(refused, reason);
        refused.close();
    }

    private synchronized long channelEndedNs() {
        return channelEndedNs;
    }

    /** From now on no call goes over the channel that there was; those before may have. */
    private void endChannel() {
        openChannel = null;
        if (mayHaveSent) {
            mayHaveSent = false;
            channelEndedNs = Surroundings.nanoTime();
        }
    }

    private void beAnother() {
        clientId = Surroundings.newId();
        openedAt = HelloRequest.NOWHERE;
    }

    private synchronized HelloRequest hello() {
        return new HelloRequest(
                HelloRequest.MAGIC,
                HelloRequest.VERSION,
                clusterId,
                clientId.getMostSignificantBits(),
                clientId.getLeastSignificantBits(),
                openedAt);
    }

    private synchronized void onLost(Attempt lost, CrailException reason) {
        if (lost != attempt || state == State.CLOSED) {
            return;
        }
        endChannel();
        attempt = null;
        failedAttempts++;
        lastFailure = reason;
        state = State.IDLE;
        if (openers.isEmpty() && !listener.hasCalls()) {
            return;
        }
        LOG.debug("no session, next attempt in {} ms", pauseMs, reason);
        SharedTimer.after(pauseMs, this::connectAfterPause);
        state = State.PAUSING; // only now that something ends the pause
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }

    private synchronized void connectAfterPause() {
        if (state != State.PAUSING) {
            return;
        }
        state = State.IDLE;
        if (!openers.isEmpty() || listener.hasCalls()) {
            connect();
        }
    }

    @Override
    public void close() {
        Attempt current;
        RpcChannel last;
        List<CompletableFuture<HelloResponse>> failed;
        synchronized (this) {
            state = State.CLOSED;
            last = openChannel;
            openChannel = null;
            current = attempt;
            attempt = null;
            failed = takeOpeners();
        }
        failed.forEach(future -> future.completeExceptionally(new ClosedException("the connection has been closed")));
        if (last != null) {
            last.send(new RequestFrame(HELLO_ID, HELLO_ID, new GoodbyeRequest()));
        }
        if (current != null) {
            current.close();
        }
    }

    private List<CompletableFuture<HelloResponse>> takeOpeners() {
        List<CompletableFuture<HelloResponse>> taken = new ArrayList<>(openers);
        openers.clear();
        return taken;
    }

    private NamenodeUnreachableException unreachable(String why, Throwable cause) {
        return new NamenodeUnreachableException(
                "namenode " + target + " cannot be reached: " + why
                        + "; check crail.namenode.address and that the namenode runs",
                cause);
    }

    private OperationTimeoutException silent() {
        return new OperationTimeoutException("namenode " + target
                + " accepts connections but does not answer; check whether it hangs, or the network in between");
    }

    private enum State {
        IDLE,
        CONNECTING,
        OPEN,
        PAUSING,
        CLOSED
    }

    /** One of the methods of {@link RpcChannel} that send. */
    interface Way {
        void send(RpcChannel channel, RequestFrame frame);
    }

    /** What the connection wants to know, and what it knows. Called while locks are held: must not block. */
    interface Listener {
        /** The frames of all calls in flight, in order; they are sent again. */
        List<RequestFrame> framesInFlight();

        /** Whether any call waits for an answer. */
        boolean hasCalls();

        /**
         * An answer arrived; the buffer is valid during the call. Answers what ends the call, or null if there is
         * nothing to do.
         */
        Runnable onResponse(long requestId, int status, ByteBuffer body);

        /** Calls sent until then have to fail if they must not be executed twice; others are sent again. */
        void onSessionLost(CrailException reason, long untilNs);

        /** The namenode refused the session. */
        void onRefused(CrailException reason);
    }

    /** One channel, from its connect to its end. */
    private final class Attempt implements RpcChannel.Receiver {
        private volatile RpcChannel channel;
        private volatile boolean ended;
        private volatile long lastHeardNs = Surroundings.nanoTime();

        boolean isSilentSince(long sinceNs) {
            return channel != null && lastHeardNs - sinceNs < 0;
        }

        void onConnected(RpcChannel connected, Throwable failure) {
            if (failure != null) {
                onBroken(this, failure);
                return;
            }
            channel = connected;
            if (ended) {
                connected.close();
                return;
            }
            try {
                SharedTimer.after(connectTimeoutMs, this::closeUnlessOpen);
                connected.send(new RequestFrame(HELLO_ID, HELLO_ID, hello()));
            } catch (RuntimeException | Error e) { // otherwise nobody would hear of it
                onBroken(this, e);
            }
        }

        private void closeUnlessOpen() {
            if (openChannel != channel) {
                onLost(this, silent());
                close();
            }
        }

        @Override
        public void onMessage(ByteBuffer message) {
            lastHeardNs = Surroundings.nanoTime();
            if (message.remaining() < ResponseFrame.HEADER_LENGTH) {
                CrailException reason = new ProtocolMismatchException(
                        "namenode " + target + " sent " + message.remaining() + " bytes that are no answer");
                follow(() -> onRefused(this, reason));
                return;
            }
            long requestId = message.getLong();
            int status = message.getShort();
            if (requestId == HELLO_ID) {
                onHello(status, message);
            } else {
                Runnable end = listener.onResponse(requestId, status, message);
                if (end != null) {
                    follow(end);
                }
            }
        }

        private void onHello(int status, ByteBuffer body) {
            try {
                if (status != ResponseFrame.OK) {
                    throw ResponseFrame.decodeError(status, body);
                }
                HelloResponse response = hello().decodeResponse(body);
                requireSameValues(response);
                follow(() -> onOpened(this, response));
            } catch (SessionLostException e) {
                follow(() -> onForgotten(this, e));
            } catch (CrailException e) {
                follow(() -> onRefused(this, e));
            }
        }

        private void follow(Runnable what) {
            RpcChannel current = channel;
            if (current != null) {
                current.follow(what);
            } else {
                what.run();
            }
        }

        @Override
        public void onClosed(Throwable cause) {
            onLost(this, unreachable(cause == null ? "it closed the connection" : cause.toString(), cause));
        }

        void close() {
            ended = true;
            RpcChannel current = channel;
            if (current != null) {
                current.close();
            }
        }
    }
}

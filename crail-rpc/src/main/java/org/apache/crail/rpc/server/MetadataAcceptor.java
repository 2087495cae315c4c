/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;

/**
 * The server's end above any transport: gives each connection a receiver that executes requests where they arrive, and
 * keeps the sessions of clients that may come back. All methods are thread safe.
 */
public final class MetadataAcceptor implements RpcServer.Acceptor {
    /** How long a session is kept for a client that has no connection; longer than any call lives. */
    private static final long IDLE_LIMIT_NS = TimeUnit.MINUTES.toNanos(11);

    private static final long SWEEP_PERIOD_NS = TimeUnit.SECONDS.toNanos(6);
    private static final long GREETING_LIMIT_MS = 10_000;

    /** Between this and twice as long may pass until a connection on which nothing comes is closed. */
    private static final long IDLE_CONNECTION_MS = TimeUnit.MINUTES.toMillis(5);

    private final MetadataService service;
    private final Map<UUID, ClientSession> sessions = new ConcurrentHashMap<>();
    private final AtomicLong lastSweepNs = new AtomicLong(Surroundings.nanoTime());
    private final long greetingLimitMs;
    private final long idleConnectionMs;

    /** Makes an acceptor for connections to this service. */
    public MetadataAcceptor(MetadataService service) {
        this(service, GREETING_LIMIT_MS, IDLE_CONNECTION_MS);
    }

    /**
     * With other time limits, for tests.
     *
     * @param greetingLimitMs until which a connection must have opened a session
     * @param idleConnectionMs between this and twice as long may pass until a connection on which nothing comes is closed
     */
    public MetadataAcceptor(MetadataService service, long greetingLimitMs, long idleConnectionMs) {
        this.service = service;
        this.greetingLimitMs = greetingLimitMs;
        this.idleConnectionMs = idleConnectionMs;
    }

    @Override
    public RpcChannel.Receiver accept(RpcChannel channel) {
        return new ServerConnection(channel, service, this);
    }

    ConnectionWatch watch(RpcChannel channel, BooleanSupplier hasSession) {
        return new ConnectionWatch(channel, hasSession, greetingLimitMs, idleConnectionMs);
    }

    /** Clients that are connected, or were a short while ago. */
    public int sessions() {
        return sessions.size();
    }

    ClientSession open(HelloRequest hello) {
        forgetIdle();
        UUID clientId = new UUID(hello.clientIdHigh(), hello.clientIdLow());
        return sessions.compute(clientId, (id, known) -> {
            ClientSession session = known != null ? known : new ClientSession(HelloRequest.WINDOW_SIZE);
            session.connected();
            return session;
        });
    }

    private void forgetIdle() {
        long nowNs = Surroundings.nanoTime();
        long last = lastSweepNs.get();
        if (nowNs - last > SWEEP_PERIOD_NS && lastSweepNs.compareAndSet(last, nowNs)) {
            sessions.keySet()
                    .forEach(id -> sessions.computeIfPresent(
                            id, (key, session) -> session.isIdleLongerThan(IDLE_LIMIT_NS, nowNs) ? null : session));
        }
    }
}

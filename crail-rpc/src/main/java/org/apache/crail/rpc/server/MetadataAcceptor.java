/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;

/**
 * The server's end above any transport: gives each connection a receiver that executes requests where they arrive, and
 * keeps the sessions of clients that may come back. All methods are thread safe.
 */
public final class MetadataAcceptor implements RpcServer.Acceptor {
    private static final long IDLE_LIMIT_NS = 60_000_000_000L;

    private final MetadataService service;
    private final Map<UUID, ClientSession> sessions = new ConcurrentHashMap<>();
    private final AtomicLong lastSweepNs = new AtomicLong(System.nanoTime());

    /** Makes an acceptor for connections to this service. */
    public MetadataAcceptor(MetadataService service) {
        this.service = service;
    }

    @Override
    public RpcChannel.Receiver accept(RpcChannel channel) {
        return new ServerConnection(channel, service, this);
    }

    /** Clients that are connected, or were a short while ago. */
    public int sessions() {
        return sessions.size();
    }

    ClientSession open(HelloRequest hello) {
        forgetIdle();
        UUID clientId = new UUID(hello.clientIdHigh(), hello.clientIdLow());
        return sessions.compute(clientId, (id, known) -> {
            ClientSession session =
                    known != null ? known : new ClientSession(service.cluster().windowSize());
            session.connected();
            return session;
        });
    }

    private void forgetIdle() {
        long nowNs = System.nanoTime();
        long last = lastSweepNs.get();
        if (nowNs - last > IDLE_LIMIT_NS / 10 && lastSweepNs.compareAndSet(last, nowNs)) {
            sessions.keySet()
                    .forEach(id -> sessions.computeIfPresent(
                            id, (key, session) -> session.isIdleLongerThan(IDLE_LIMIT_NS, nowNs) ? null : session));
        }
    }
}

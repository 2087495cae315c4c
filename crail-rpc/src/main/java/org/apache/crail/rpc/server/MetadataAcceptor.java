/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;

/**
 * The server's end above any transport: gives each connection a receiver that executes requests where they arrive, and
 * keeps the sessions of clients that may come back. All methods are thread safe.
 */
public final class MetadataAcceptor implements RpcServer.Acceptor {
    /** The default of crail.namenode.replymemory. */
    private static final long REPLY_MEMORY_BYTES = 128L << 20;

    private static final long GREETING_LIMIT_MS = 10_000;

    /** Between this and twice as long may pass until a connection on which nothing comes is closed. */
    private static final long IDLE_CONNECTION_MS = TimeUnit.MINUTES.toMillis(5);

    private final MetadataService service;
    private final Sessions sessions;
    private final long greetingLimitMs;
    private final long idleConnectionMs;

    /** Makes an acceptor for connections to this service. */
    public MetadataAcceptor(MetadataService service) {
        this(service, REPLY_MEMORY_BYTES);
    }

    /** Makes an acceptor that uses so much memory at most for what clients may ask again. */
    public MetadataAcceptor(MetadataService service, long replyMemoryBytes) {
        this(service, new Sessions(replyMemoryBytes), GREETING_LIMIT_MS, IDLE_CONNECTION_MS);
    }

    /**
     * With other time limits, for tests.
     *
     * @param greetingLimitMs until which a connection must have opened a session
     * @param idleConnectionMs between this and twice as long may pass until a connection on which nothing comes is closed
     */
    public MetadataAcceptor(MetadataService service, long greetingLimitMs, long idleConnectionMs) {
        this(service, new Sessions(REPLY_MEMORY_BYTES), greetingLimitMs, idleConnectionMs);
    }

    private MetadataAcceptor(MetadataService service, Sessions sessions, long greetingLimitMs, long idleConnectionMs) {
        this.service = service;
        this.sessions = sessions;
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

    Sessions all() {
        return sessions;
    }
}

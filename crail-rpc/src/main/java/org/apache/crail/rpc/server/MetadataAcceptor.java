/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.crail.error.NamenodeBusyException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.internal.LastResort;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end above any transport: gives each connection a receiver that executes requests where they arrive, and
 * keeps the sessions of clients that may come back. All methods are thread safe.
 */
public final class MetadataAcceptor implements RpcServer.Acceptor {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataAcceptor.class);

    /** The default of crail.namenode.replymemory. */
    private static final long REPLY_MEMORY_BYTES = 128L << 20;

    private static final long GREETING_LIMIT_MS = 10_000;

    /** Between this and twice as long may pass until a connection on which nothing comes is closed. */
    private static final long IDLE_CONNECTION_MS = TimeUnit.MINUTES.toMillis(5);

    private final AtomicBoolean isChecking = new AtomicBoolean();
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
     * @param idleConnectionMs between this and twice as long may pass until a connection on which nothing comes is
     *     closed
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

    /**
     * Checks the blocks on a thread of its own, as that takes long.
     *
     * @param answer gets the reply, when another one may begin
     * @throws NamenodeBusyException if another check goes on, or no thread can be had
     */
    void check(Supplier<ResponseFrame> execution, Consumer<ResponseFrame> answer) throws NamenodeBusyException {
        if (!isChecking.compareAndSet(false, true)) {
            throw new NamenodeBusyException(
                    "cannot check the blocks: the namenode does so for somebody else; try again when that has ended");
        }
        boolean isStarted = false;
        try {
            BackgroundThreads.executor()
                    .execute(() -> LastResort.run(
                            () -> answer.accept(executeCheck(execution)),
                            e -> LOG.error("a check failed, and is not answered", e)));
            isStarted = true;
        } catch (RejectedExecutionException e) {
            throw new NamenodeBusyException("cannot check the blocks: " + e.getMessage(), e);
        } finally {
            if (!isStarted) {
                isChecking.set(false);
            }
        }
    }

    private ResponseFrame executeCheck(Supplier<ResponseFrame> execution) {
        try {
            return execution.get();
        } finally {
            isChecking.set(false);
        }
    }

    Sessions all() {
        return sessions;
    }
}

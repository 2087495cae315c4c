/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.verbs.NativeVerbs;

/**
 * The metadata transport over DaRPC, both ends; the name is the one that configurations for Crail 1.x hold. Whether
 * RDMA can be used is looked at when it is first needed. Methods are thread safe after {@link #init}.
 */
public final class DaRPCNameNode implements RpcTransport {
    private static final long CLOSE_LIMIT_MS = 5_000;
    private static final int MOST_CONNECTIONS = 1024;

    private final Set<ClientConnection> connections = new HashSet<>();
    private final Set<DaRPCServer> servers = new HashSet<>();
    private final DaRPCCounters counters = new DaRPCCounters();
    private DaRPCSettings settings;
    private boolean closed;

    /** Makes a transport; {@link #init} comes next. */
    public DaRPCNameNode() {}

    @Override
    public void init(CrailConfiguration configuration) throws CrailException {
        init(DaRPCSettings.of(configuration));
    }

    void init(DaRPCSettings wanted) {
        settings = wanted;
    }

    /** What the connections of this transport have done as clients. */
    public DaRPCCounters counters() {
        return counters;
    }

    @Override
    public CompletableFuture<RpcChannel> connect(
            InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
        try {
            String problem = Addresses.problem(address);
            if (problem != null) {
                throw ClientConnection.unreachable(address, problem, null);
            }
            Throwable unavailable = NativeVerbs.unavailabilityCause();
            if (unavailable != null) {
                throw ClientConnection.unreachable(address, unavailable.getMessage(), unavailable);
            }
            return register(new ClientConnection(settings, address, timeoutMs, receiver, counters, this::forget))
                    .open();
        } catch (CrailException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized ClientConnection register(ClientConnection connection) throws CrailException {
        requireOpen();
        if (connections.size() >= MOST_CONNECTIONS) {
            throw new ClosedException("there are " + MOST_CONNECTIONS
                    + " connections or connects of this transport already; close some of them");
        }
        connections.add(connection);
        return connection;
    }

    private synchronized void forget(ClientConnection connection) {
        connections.remove(connection);
    }

    @Override
    public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) throws CrailException {
        synchronized (this) {
            requireOpen();
        }
        String problem = Addresses.problem(address);
        if (problem == null && address.getAddress().isAnyLocalAddress()) {
            problem = "RDMA needs one address, that of a device; set crail.namenode.address to it";
        }
        Throwable unavailable = problem == null ? NativeVerbs.unavailabilityCause() : null;
        if (problem != null || unavailable != null) {
            throw BindErrors.of(address, problem != null ? problem : unavailable.getMessage(), unavailable);
        }
        DaRPCServer server = open(address, acceptor);
        synchronized (this) {
            if (!closed) {
                servers.add(server);
                return server;
            }
        }
        server.close();
        throw closedError();
    }

    private DaRPCServer open(InetSocketAddress address, RpcServer.Acceptor acceptor) throws ConfigurationException {
        DaRPCServer server = null;
        try {
            server = new DaRPCServer(settings, acceptor);
            server.listen(address);
            return server;
        } catch (Exception | LinkageError e) { // DiSNI declares no narrower type
            if (server != null) {
                server.close();
            }
            throw BindErrors.of(address, e);
        }
    }

    private void requireOpen() throws ClosedException {
        if (closed) {
            throw closedError();
        }
    }

    static ClosedException closedError() {
        return new ClosedException("the metadata transport has been closed; make another one");
    }

    @Override
    public void close() {
        List<ClientConnection> clients;
        List<DaRPCServer> listening;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            clients = List.copyOf(connections);
            listening = List.copyOf(servers);
        }
        clients.forEach(ClientConnection::close);
        listening.forEach(DaRPCServer::close);
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_LIMIT_MS);
        try {
            for (ClientConnection client : clients) {
                client.awaitEnd(TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

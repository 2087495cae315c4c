/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * A metadata transport inside the process: messages are encoded and decoded as on a network, and delivered by one
 * thread per end of a connection. All methods are thread safe.
 */
public final class MemoryTransport implements RpcTransport {
    private static final MemoryNetwork<RpcServer.Acceptor> NETWORK = new MemoryNetwork<>();

    private final Set<MemoryTransportChannel> channels = ConcurrentHashMap.newKeySet();
    private final Set<RpcServer> servers = ConcurrentHashMap.newKeySet();

    @Override
    public void init(CrailConfiguration configuration) {
        // Nothing to set.
    }

    @Override
    public CompletableFuture<RpcChannel> connect(
            InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
        RpcServer.Acceptor acceptor = NETWORK.find(address.getPort());
        if (acceptor == null) {
            return CompletableFuture.failedFuture(
                    new NamenodeUnreachableException("nobody listens at " + address + "; start a namenode there"));
        }
        MemoryTransportChannel client = new MemoryTransportChannel("memory:" + address.getPort());
        MemoryTransportChannel server = new MemoryTransportChannel("memory:client");
        client.join(server);
        channels.add(client);
        server.start(acceptor.accept(server));
        client.start(receiver);
        return CompletableFuture.completedFuture(client);
    }

    @Override
    public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) throws CrailException {
        Set<RpcChannel> accepted = ConcurrentHashMap.newKeySet();
        InetSocketAddress bound = NETWORK.bind(address, channel -> {
            accepted.add(channel);
            return acceptor.accept(channel);
        });
        RpcServer server = new RpcServer() {
            @Override
            public InetSocketAddress address() {
                return bound;
            }

            @Override
            public void close() {
                NETWORK.unbind(bound.getPort());
                accepted.forEach(RpcChannel::close);
                servers.remove(this);
            }
        };
        servers.add(server);
        return server;
    }

    /** Breaks all connections that this transport made, as a network fault would; both ends are told. */
    public void breakConnections() {
        channels.forEach(MemoryTransportChannel::close);
        channels.clear();
    }

    @Override
    public void close() {
        Set.copyOf(servers).forEach(RpcServer::close);
        breakConnections();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import org.apache.crail.error.CrailException;
import org.apache.crail.local.message.MessageMemory;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.SocketDirectory;
import org.apache.crail.netty.SocketServer;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections on one address. All methods are thread safe. */
final class TcpRpcServer implements RpcServer {
    private static final Logger LOG = LoggerFactory.getLogger(TcpRpcServer.class);
    private static final WriteBufferWaterMark UNREAD_REPLIES = new WriteBufferWaterMark(64 * 1024, 256 * 1024);

    private final boolean mayShareMemory;
    private final BegunMessages begun = BegunMessages.ofDirectMemory();
    private final Acceptor acceptor;
    private final SocketServer sockets;

    /**
     * Listens; the threads stay the caller's.
     *
     * @param mayShareMemory whether clients on this host are offered memory
     */
    TcpRpcServer(
            EventLoops loops,
            InetSocketAddress address,
            Optional<SocketDirectory> localSockets,
            boolean mayShareMemory,
            Acceptor acceptor)
            throws CrailException {
        this.mayShareMemory = mayShareMemory;
        this.acceptor = acceptor;
        this.sockets = new SocketServer(
                loops,
                address,
                new SocketServer.Service(
                        "the namenode", "-p or crail.namenode.address", UNREAD_REPLIES, this::onConnection));
        if (mayShareMemory && localSockets.isPresent()) {
            MessageMemory.removeLeftovers();
        }
        sockets.start(localSockets);
    }

    @Override
    public InetSocketAddress address() {
        return sockets.address();
    }

    /** Connections that are open. */
    Set<Channel> connections() {
        return sockets.connections();
    }

    private void onConnection(Channel channel) {
        TcpServerChannel connection = new TcpServerChannel(channel, begun);
        RpcChannel.Receiver service;
        try {
            service = acceptor.accept(connection);
        } catch (RuntimeException e) {
            LOG.error("the connection of {} was not accepted", connection.peer(), e);
            channel.close();
            return;
        }
        connection.receiver(new ServedClient(sockets, channel, mayShareMemory, connection, service));
        channel.pipeline().addLast(connection);
    }

    @Override
    public void close() {
        sockets.close();
    }
}

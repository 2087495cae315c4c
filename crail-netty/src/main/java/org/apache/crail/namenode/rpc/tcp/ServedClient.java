/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.crail.local.message.MessageMemory;
import org.apache.crail.netty.FrameSink;
import org.apache.crail.netty.MemoryHandler;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.netty.SocketServer;
import org.apache.crail.rpc.transport.RpcChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers a client's questions for shorter ways, over TCP for the Unix domain socket, and there for memory; all else
 * goes to the service. Confined to the channel's thread.
 */
final class ServedClient implements RpcChannel.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(ServedClient.class);

    private final SocketServer sockets;
    private final Channel channel;
    private final boolean mayShareMemory;
    private final TcpServerChannel connection;
    private final RpcChannel.Receiver service;
    private MessageMemory offered;

    /**
     * Serves a connection.
     *
     * @param mayShareMemory whether memory is offered to a client that asks for it
     */
    ServedClient(
            SocketServer sockets,
            Channel channel,
            boolean mayShareMemory,
            TcpServerChannel connection,
            RpcChannel.Receiver service) {
        this.sockets = sockets;
        this.channel = channel;
        this.mayShareMemory = mayShareMemory;
        this.connection = connection;
        this.service = service;
    }

    @Override
    public void onMessage(ByteBuffer message) {
        if (message.hasRemaining()) {
            withdraw();
            service.onMessage(message);
        } else if (!SocketAddresses.isLocalSocket(channel)) {
            connection.send(ShortcutMessage.of(sockets.localSocket(channel)));
        } else if (offered == null) {
            connection.send(offer());
        } else {
            goOver();
        }
    }

    private ShortcutMessage offer() {
        if (!mayShareMemory || !MemoryHandler.reserve(channel)) {
            return ShortcutMessage.EMPTY;
        }
        try {
            offered = MessageMemory.create();
            return ShortcutMessage.of(offered.path());
        } catch (IOException e) {
            MemoryHandler.giveUp(channel);
            LOG.debug("no memory can be shared with clients, they stay with the socket", e);
            return ShortcutMessage.EMPTY;
        }
    }

    /** The client has mapped what was offered, or something else of that name. */
    private void goOver() {
        MessageMemory memory = offered;
        offered = null; // messages may come through it before this has ended
        memory.removeName();
        MemoryHandler.giveUp(channel);
        Optional<FrameSink> way = MemoryHandler.accept(channel, memory);
        if (way.isPresent()) {
            connection.goOver(way.get());
        } else {
            memory.release();
            connection.send(ShortcutMessage.EMPTY);
        }
    }

    private void withdraw() {
        if (offered != null) {
            offered.removeName();
            offered.release();
            MemoryHandler.giveUp(channel);
            offered = null;
        }
    }

    @Override
    public void onClosed(Throwable cause) {
        withdraw();
        service.onClosed(cause);
    }
}

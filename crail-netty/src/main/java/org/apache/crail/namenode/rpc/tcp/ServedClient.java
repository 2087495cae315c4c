/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import org.apache.crail.netty.SocketServer;
import org.apache.crail.rpc.transport.RpcChannel;

/** Answers a client's question for the Unix domain socket; all else goes to the service. Confined to the channel's thread. */
final class ServedClient implements RpcChannel.Receiver {
    private final SocketServer sockets;
    private final Channel channel;
    private final RpcChannel connection;
    private final RpcChannel.Receiver service;

    ServedClient(SocketServer sockets, Channel channel, RpcChannel connection, RpcChannel.Receiver service) {
        this.sockets = sockets;
        this.channel = channel;
        this.connection = connection;
        this.service = service;
    }

    @Override
    public void onMessage(ByteBuffer message) {
        if (!message.hasRemaining()) {
            connection.send(new LocalSocketMessage(sockets.localSocket(channel)));
        } else {
            service.onMessage(message);
        }
    }

    @Override
    public void onClosed(Throwable cause) {
        service.onClosed(cause);
    }
}

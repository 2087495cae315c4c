/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.crail.local.message.MessageMemory;
import org.apache.crail.rpc.transport.RpcChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks, over a new Unix domain socket, for memory through which messages can go, and goes over to it or stays with the
 * socket. Confined to the channel's event loop.
 */
final class MemoryQuestion implements RpcChannel.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryQuestion.class);

    private final Channel channel;
    private final RpcChannel.Receiver receiver;
    private final TcpClientChannel connection;
    private final Consumer<Optional<RpcChannel>> onEnd;
    private boolean answered;

    /**
     * Prepares a question.
     *
     * @param receiver told of what comes over the connection
     * @param onEnd told, once, of the connection, over memory or the socket; of nothing if it ended
     */
    MemoryQuestion(Channel channel, RpcChannel.Receiver receiver, Consumer<Optional<RpcChannel>> onEnd) {
        this.channel = channel;
        this.receiver = receiver;
        this.connection = TcpClientChannel.over(channel, this);
        this.onEnd = onEnd;
    }

    /** Begins. */
    void ask() {
        connection.send(ShortcutMessage.EMPTY);
        connection.startReading();
    }

    @Override
    public void onMessage(ByteBuffer message) {
        if (answered) {
            LOG.warn("{}: it sent a message that was not asked for", connection.peer());
            connection.close();
            return;
        }
        answered = true;
        MessageMemory memory = memoryIn(message);
        if (memory == null) {
            connection.receiver(receiver);
            onEnd.accept(Optional.of(connection));
        } else {
            channel.eventLoop().execute(() -> goOver(memory)); // behind what came with the answer
        }
    }

    private void goOver(MessageMemory memory) {
        if (!channel.isActive()) {
            return; // as has been told
        }
        LOG.debug("{}: messages are to go through memory", connection.peer());
        channel.pipeline().remove(connection);
        MemoryOpening.begin(
                channel,
                memory,
                opened -> new MemoryChannel((EpollDomainSocketChannel) channel, opened, receiver),
                onEnd);
    }

    private MessageMemory memoryIn(ByteBuffer message) {
        try {
            return message.hasRemaining()
                    ? MessageMemory.open(
                            Path.of(StandardCharsets.UTF_8.decode(message).toString()))
                    : null;
        } catch (IOException | InvalidPathException e) {
            LOG.debug("{}: its memory cannot be used, using the socket", connection.peer(), e);
            return null;
        }
    }

    @Override
    public void onClosed(Throwable cause) {
        onEnd.accept(Optional.empty());
    }
}

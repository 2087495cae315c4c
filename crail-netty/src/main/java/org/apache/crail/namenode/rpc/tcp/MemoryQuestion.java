/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.crail.netty.FrameSink;
import org.apache.crail.netty.MemoryHandler;
import org.apache.crail.netty.MessageMemory;
import org.apache.crail.rpc.transport.RpcChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks, over a new Unix domain socket, for memory through which messages can go, and goes over to it or stays with the socket. Confined to the channel's event
 * loop.
 */
final class MemoryQuestion implements RpcChannel.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryQuestion.class);

    private final Channel channel;
    private final TcpRpcChannel connection;
    private final Consumer<Optional<TcpRpcChannel>> onEnd;
    private boolean answered;

    /**
     * Prepares a question.
     *
     * @param onEnd told, once, of the connection, over memory or the socket; of nothing if it ended
     */
    MemoryQuestion(Channel channel, Consumer<Optional<TcpRpcChannel>> onEnd) {
        this.channel = channel;
        this.connection = TcpRpcChannel.ofClient(channel, this);
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
            onEnd.accept(Optional.of(connection));
        } else {
            MemoryHandler.begin(channel, memory, channel.alloc().directBuffer().writeInt(0), this::goOver);
        }
    }

    private void goOver(FrameSink memory) {
        LOG.debug("{}: messages go through memory", connection.peer());
        connection.goOver(memory);
        onEnd.accept(Optional.of(connection));
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

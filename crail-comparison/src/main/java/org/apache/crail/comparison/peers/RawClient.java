/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.apache.crail.comparison.PeerClient;

/** A blocking socket to a {@link RawServer}. */
final class RawClient implements PeerClient {
    /** The server is told that so many messages follow, when the ones before have been sent. */
    private static final int MESSAGES_ANNOUNCED = 1_000;

    /** As many as a stream of ours has over sockets. */
    private static final int BUFFERS_OF_STORED = Systems.TRANSFERS_IN_FLIGHT;

    private final boolean stored;
    private final SocketChannel channel;
    private final ByteBuffer command = ByteBuffer.allocateDirect(RawServer.COMMAND_BYTES);
    private final ByteBuffer message = ByteBuffer.allocateDirect(RawServer.MESSAGE_BYTES);
    private final Units buffers;
    private int messagesLeft;

    /**
     * Connects.
     *
     * @param stored whether both ends move units from and into memory as a store and its client do: distinct memory at
     *     the server, several buffers here; or else one buffer each again and again
     */
    RawClient(SocketAddress address, boolean stored) throws IOException {
        this.stored = stored;
        this.buffers = Units.pageAligned(stored ? BUFFERS_OF_STORED : 1);
        this.channel = SocketChannel.open(address);
        RawServer.sendAtOnce(channel);
    }

    @Override
    public void lookup(String path) throws IOException {
        if (messagesLeft == 0) {
            command(RawServer.ECHO, MESSAGES_ANNOUNCED);
            messagesLeft = MESSAGES_ANNOUNCED;
        }
        messagesLeft--;
        echo();
    }

    private void echo() throws IOException {
        RawServer.writeFully(channel, message.clear());
        RawServer.readFully(channel, message.clear());
    }

    /** Sends the messages that have been announced and not been sent. */
    @Override
    public void settle() throws IOException {
        for (; messagesLeft > 0; messagesLeft--) {
            echo();
        }
    }

    @Override
    public void read(String path, int units) throws IOException {
        command(stored ? RawServer.SEND_STORED : RawServer.SEND, units);
        for (int i = 0; i < units; i++) {
            RawServer.readFully(channel, buffers.next());
        }
    }

    @Override
    public void write(String path, int units) throws IOException {
        command(stored ? RawServer.SWALLOW_STORED : RawServer.SWALLOW, units);
        for (int i = 0; i < units; i++) {
            RawServer.writeFully(channel, buffers.next());
        }
        RawServer.readFully(channel, message.clear().limit(1));
    }

    private void command(byte what, long amount) throws IOException {
        command.put(0, what).putLong(1, amount);
        RawServer.writeFully(channel, command.clear());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

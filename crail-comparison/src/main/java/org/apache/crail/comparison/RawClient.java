/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A blocking socket to a {@link RawServer}. */
final class RawClient implements PeerClient {
    /** The server is told that so many messages follow, when the ones before have been sent. */
    private static final int MESSAGES_ANNOUNCED = 1_000;

    private final boolean stored;
    private final SocketChannel channel;
    private final ByteBuffer command = ByteBuffer.allocateDirect(RawServer.COMMAND_BYTES);
    private final ByteBuffer message = ByteBuffer.allocateDirect(RawServer.MESSAGE_BYTES);
    private final ByteBuffer unit = ByteBuffer.allocateDirect(UNIT_BYTES);
    private int messagesLeft;

    /**
     * Connects.
     *
     * @param stored whether the server moves units from and into memory of their own, and not one buffer again and again
     */
    RawClient(SocketAddress address, boolean stored) throws IOException {
        this.stored = stored;
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
            RawServer.readFully(channel, unit.clear());
        }
    }

    @Override
    public void write(String path, int units) throws IOException {
        command(stored ? RawServer.SWALLOW_STORED : RawServer.SWALLOW, units);
        for (int i = 0; i < units; i++) {
            RawServer.writeFully(channel, unit.clear());
        }
        RawServer.readFully(channel, message.clear().limit(1));
    }

    private void command(byte what, long amount) throws IOException {
        command.clear().put(what).putLong(amount).flip();
        RawServer.writeFully(channel, command);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The raw machine's side of the comparison: a process that echoes small messages and sends or swallows bytes over blocking
 * sockets, with nothing in between. It serves one connection at a time and ends when its standard input does.
 */
public final class RawServer {
    /** Bytes of an echoed message. */
    static final int MESSAGE_BYTES = 64;

    /** Bytes handed to the kernel at once. */
    static final int UNIT_BYTES = 1 << 20;

    /** Bytes of a command: what, and how much. */
    static final int COMMAND_BYTES = 1 + Long.BYTES;

    static final byte ECHO = 'e';
    static final byte SEND = 's';
    static final byte SWALLOW = 'w';

    private final ByteBuffer command = ByteBuffer.allocateDirect(COMMAND_BYTES);
    private final ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE_BYTES);
    private final ByteBuffer unit = ByteBuffer.allocateDirect(UNIT_BYTES);

    private RawServer() {}

    /** Listens on a loopback port that the system chooses, and tells it on standard output. */
    public static void main(String[] args) throws IOException {
        ServerProcess.exitWithParent();
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            ServerProcess.tellReady((InetSocketAddress) server.getLocalAddress());
            RawServer commands = new RawServer();
            while (true) {
                try (SocketChannel client = server.accept()) {
                    client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    commands.serve(client);
                }
            }
        }
    }

    private void serve(SocketChannel client) throws IOException {
        while (true) {
            command.clear();
            if (client.read(command) < 0) {
                return;
            }
            readFully(client, command);
            byte what = command.flip().get();
            long amount = command.getLong();
            switch (what) {
                case ECHO -> echo(client, amount);
                case SEND -> send(client, amount);
                case SWALLOW -> swallow(client, amount);
                default -> throw new IOException("unknown command " + what);
            }
        }
    }

    private void echo(SocketChannel client, long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            readFully(client, message.clear());
            writeFully(client, message.flip());
        }
    }

    private void send(SocketChannel client, long bytes) throws IOException {
        for (long left = bytes; left > 0; left -= UNIT_BYTES) {
            writeFully(client, unit.clear().limit((int) Math.min(left, UNIT_BYTES)));
        }
    }

    private void swallow(SocketChannel client, long bytes) throws IOException {
        for (long left = bytes; left > 0; left -= UNIT_BYTES) {
            readFully(client, unit.clear().limit((int) Math.min(left, UNIT_BYTES)));
        }
        writeFully(client, message.clear().limit(1));
    }

    static void readFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the other end closed the connection");
            }
        }
    }

    static void writeFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }
}

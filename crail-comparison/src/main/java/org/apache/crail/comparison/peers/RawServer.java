/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.ServerProcess;

/**
 * The raw machine's side of the comparison: a process that echoes small messages and sends or swallows bytes over
 * blocking sockets, with nothing in between: from and into one buffer again and again; or from memory as large as the
 * file that is read, and into memory as large as the files that a turn writes. It serves one connection at a time and
 * ends when its standard input does.
 */
public final class RawServer {
    /** Bytes of an echoed message. */
    static final int MESSAGE_BYTES = 64;

    /**
     * Bytes of a command: what, how much, and nothing up to a cache line, as some processors copy what follows slowly
     * otherwise.
     */
    static final int COMMAND_BYTES = 64;

    static final byte ECHO = 'e';
    static final byte SEND = 's';
    static final byte SWALLOW = 'w';
    static final byte SEND_STORED = 'S';
    static final byte SWALLOW_STORED = 'W';

    private final ByteBuffer command = ByteBuffer.allocateDirect(COMMAND_BYTES);
    private final ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE_BYTES);
    private final Units oneUnit = Units.pageAligned(1);
    private final Units read;
    private final Units written;

    private RawServer(Path storage, int units, int readUnits) throws IOException {
        ByteBuffer memory = map(storage, units);
        this.read = new Units(memory.slice(0, readUnits * PeerClient.UNIT_BYTES));
        this.written = new Units(memory);
    }

    /** Memory such as a datanode has it: mapped, with all its pages. */
    private static ByteBuffer map(Path storage, int units) throws IOException {
        try (FileChannel file = FileChannel.open(
                storage,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
            MappedByteBuffer memory = file.map(FileChannel.MapMode.READ_WRITE, 0, (long) units * PeerClient.UNIT_BYTES);
            for (int i = 0; i < memory.capacity(); i += Units.PAGE_BYTES) {
                memory.put(i, (byte) 1);
            }
            return memory;
        }
    }

    /**
     * Listens on a loopback port that the system chooses, or on a Unix domain socket, and tells it on standard output.
     *
     * @param args a file to be made for the stored bytes, how many MiB of them there are, how many of them are read,
     *     and where the Unix domain socket is to be, if it is to be one
     */
    public static void main(String[] args) throws IOException {
        ServerProcess.exitWithParent();
        boolean unix = args.length > 3;
        try (ServerSocketChannel server =
                ServerSocketChannel.open(unix ? StandardProtocolFamily.UNIX : StandardProtocolFamily.INET)) {
            if (unix) {
                server.bind(UnixDomainSocketAddress.of(args[3]));
                ServerProcess.tellReady(args[3]);
            } else {
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                ServerProcess.tellReady((InetSocketAddress) server.getLocalAddress());
            }
            RawServer commands = new RawServer(Path.of(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            while (true) {
                try (SocketChannel client = server.accept()) {
                    sendAtOnce(client);
                    commands.serve(client);
                }
            }
        }
    }

    /** Switches off what would make a small message wait for more of its kind. */
    static void sendAtOnce(SocketChannel channel) throws IOException {
        if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
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
                case SEND -> send(client, amount, oneUnit);
                case SEND_STORED -> send(client, amount, read);
                case SWALLOW -> swallow(client, amount, oneUnit);
                case SWALLOW_STORED -> swallow(client, amount, written);
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

    private static void send(SocketChannel client, long units, Units memory) throws IOException {
        for (long i = 0; i < units; i++) {
            writeFully(client, memory.next());
        }
    }

    private void swallow(SocketChannel client, long units, Units memory) throws IOException {
        for (long i = 0; i < units; i++) {
            readFully(client, memory.next());
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

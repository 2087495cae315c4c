/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** A client that knows no protocol, to send what no client sends. Not thread safe. */
public final class RawSocket implements AutoCloseable {
    private static final int TIMEOUT_MS = 30_000;

    private final Socket socket = new Socket();

    /** Connects. */
    public RawSocket(InetSocketAddress address) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.connect(address, TIMEOUT_MS);
    }

    /** Sends all of the buffer, from 0 to its position. */
    public void send(ByteBuffer bytes) throws IOException {
        byte[] sent = new byte[bytes.position()];
        bytes.get(0, sent);
        socket.getOutputStream().write(sent);
    }

    /** Sends bytes. */
    public void send(byte... bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Receives exactly {@code length} bytes. */
    public ByteBuffer receive(int length) throws IOException {
        return ByteBuffer.wrap(receiveBytes(length));
    }

    /** Receives exactly {@code length} bytes. */
    public byte[] receiveBytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        new DataInputStream(socket.getInputStream()).readFully(bytes);
        return bytes;
    }

    /** Whether the other end closes the connection, which it does before the time limit. */
    public boolean isEndedByPeer() throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                // what it had sent before
            }
            return true;
        } catch (SocketException e) {
            return true;
        }
    }

    /** Ends the connection so that the other end sees an error. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

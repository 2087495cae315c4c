/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A datanode whose every byte is decided by a test. Not thread safe. */
final class FakeDatanode implements AutoCloseable {
    private static final int TIMEOUT_MS = 30_000;

    private final ServerSocket listening;
    private Socket socket;

    FakeDatanode() throws IOException {
        listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        listening.setSoTimeout(TIMEOUT_MS);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Waits for a client and its greeting. */
    void accept() throws IOException {
        socket = listening.accept();
        socket.setSoTimeout(TIMEOUT_MS);
        socket.setTcpNoDelay(true);
        ByteBuffer hello = receive(TransferProtocol.HELLO_BYTES);
        receive(hello.getShort(TransferProtocol.HELLO_BYTES - 2));
    }

    void welcome() throws IOException {
        ByteBuffer answer = ByteBuffer.allocate(TransferProtocol.HELLO_ANSWER_BYTES);
        answer.putInt(TransferProtocol.MAGIC)
                .putShort(TransferProtocol.VERSION)
                .putShort((short) 0)
                .putInt(0);
        send(answer);
    }

    /** Waits for a request; answers its id. */
    long receiveRequest() throws IOException {
        return receive(TransferProtocol.HEAD_BYTES).getLong(4);
    }

    ByteBuffer receive(int length) throws IOException {
        byte[] bytes = new byte[length];
        new DataInputStream(socket.getInputStream()).readFully(bytes);
        return ByteBuffer.wrap(bytes);
    }

    void sendHead(long requestId, int status, int length) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(TransferProtocol.HEAD_BYTES);
        send(head.putLong(requestId).putInt(status).putInt(length).position(TransferProtocol.HEAD_BYTES));
    }

    private void send(ByteBuffer bytes) throws IOException {
        byte[] sent = new byte[bytes.position()];
        bytes.get(0, sent);
        send(sent);
    }

    void send(byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
    }

    /** Ends the client's connection. */
    void endConnection() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        if (socket != null) {
            socket.close();
        }
    }
}

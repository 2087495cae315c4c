/* SPDX-License-Identifier: Apache-2.0 */
package org.example.peer;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.crail.comparison.ServerProcess;

/** Tells one client whether files exist, until that client or the parent is gone. */
public final class LookupServer {
    private LookupServer() {}

    /** Tells the parent where it listens. */
    public static void main(String[] args) throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServerProcess.exitWithParent();
            ServerProcess.tellReady((InetSocketAddress) listening.getLocalSocketAddress());
            try (Socket client = listening.accept()) {
                answer(new DataInputStream(client.getInputStream()), new DataOutputStream(client.getOutputStream()));
            }
        }
    }

    private static void answer(DataInputStream paths, DataOutputStream answers) throws IOException {
        try {
            while (true) {
                answers.writeBoolean(Files.exists(Path.of(paths.readUTF())));
            }
        } catch (EOFException e) { // the client has closed its end
            answers.close();
        }
    }
}

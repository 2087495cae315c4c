/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.crail.comparison.Servers;

/** Starts programs that answer lines of text, and cannot choose a port by themselves. Stateless. */
final class TextServer {
    private static final int ATTEMPTS = 5;
    private static final long START_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int ANSWER_LIMIT_MS = 5_000;
    private static final long POLL_MS = 10;

    private TextServer() {}

    /**
     * Starts a program on a free port and waits until it, and no other that took the port meanwhile, answers.
     *
     * @param command the command, given a port
     * @param question asks the program for facts about itself
     * @param pidPrefix what stands before its process id in the answer
     */
    static InetSocketAddress start(
            Servers servers, String name, IntFunction<List<String>> command, String question, String pidPrefix)
            throws IOException, InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Path directory = servers.newDirectory(name);
            int port = Servers.freePort();
            Process program = servers.startProgram(directory, command.apply(port));
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            if (awaitAnswer(program, address, question, pidPrefix + program.pid())) {
                return address;
            }
            if (attempt == ATTEMPTS - 1) {
                throw new IOException(
                        name + " does not start; it says: " + Files.readString(directory.resolve("output")));
            }
        }
        throw new AssertionError("the last attempt has returned or thrown");
    }

    /** Host and port, for another process. */
    static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /** The address with that text. */
    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private static boolean awaitAnswer(Process program, InetSocketAddress address, String question, String expected)
            throws InterruptedException {
        long endNs = System.nanoTime() + START_LIMIT_NS;
        while (program.isAlive() && System.nanoTime() - endNs < 0) {
            try (Socket socket = new Socket()) {
                socket.connect(address, ANSWER_LIMIT_MS);
                socket.setSoTimeout(ANSWER_LIMIT_MS);
                socket.getOutputStream().write((question + "\r\n").getBytes(StandardCharsets.US_ASCII));
                return answers(socket.getInputStream(), expected);
            } catch (IOException e) { // it does not listen yet
                Thread.sleep(POLL_MS);
            }
        }
        return false;
    }

    private static boolean answers(InputStream in, String expected) throws IOException {
        StringBuilder answer = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            answer.append((char) next);
            if (next == '\n' && answer.indexOf(expected) >= 0) {
                return true;
            }
        }
        return false;
    }
}

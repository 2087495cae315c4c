/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The main class of a process that runs servers for tests in another process or on another host, as {@link
 * RemoteServers} tell it. Ends when its standard input does, so that none is left behind.
 *
 * <p>Arguments: address and port to listen on (0 for any), and, on a host that tests may kill, "kill-host". It prints
 * the port.
 */
public final class ServerAgent {
    private static final String MAY_KILL_HOST = "kill-host";
    private static final Path SYSTEM_REQUEST = Path.of("/proc/sysrq-trigger");
    private static final int KILLED = 137;

    private ServerAgent() {}

    /** Runs until standard input ends. */
    @SuppressWarnings("SystemOut") // the port is this command's output
    public static void main(String[] arguments) throws IOException {
        InetAddress address = InetAddress.getByName(arguments[0]);
        ServerSocket listener = new ServerSocket();
        listener.bind(new InetSocketAddress(address, Integer.parseInt(arguments[1])));
        Runnable killer = List.of(arguments).contains(MAY_KILL_HOST) ? ServerAgent::killHost : ServerAgent::killProcess;
        daemon("agent-accept", () -> accept(listener, killer));
        System.out.println(listener.getLocalPort());
        while (System.in.read() >= 0) {
            // Whoever started this process still lives.
        }
        System.exit(0);
    }

    private static void accept(ServerSocket listener, Runnable killer) {
        try {
            while (true) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                daemon("agent-session", new AgentSession(socket, killer));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void killProcess() {
        Runtime.getRuntime().halt(KILLED);
    }

    /** Reboots at once, as if the power had failed. */
    private static void killHost() {
        try {
            Files.write(SYSTEM_REQUEST, "b".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

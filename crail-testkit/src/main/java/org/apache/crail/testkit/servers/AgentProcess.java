/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A {@link ServerAgent} in a process of its own on this machine; it ends with this one. All methods are thread safe.
 */
public final class AgentProcess implements AutoCloseable {
    private static AgentProcess shared;

    private final Process process;
    private final InetSocketAddress address;

    private AgentProcess(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /** The one that all tests of this JVM share; a new one if the last has been killed. */
    public static synchronized AgentProcess shared() throws IOException {
        if (shared == null || !shared.process.isAlive()) {
            shared = start();
        }
        return shared;
    }

    /** Starts one with the class path of this JVM. */
    public static AgentProcess start() throws IOException {
        String loopback = InetAddress.getLoopbackAddress().getHostAddress();
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerAgent.class.getName(),
                        loopback,
                        "0"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String port = output.readLine();
        if (port == null) {
            throw new IOException("the agent's process ended before it said its port");
        }
        return new AgentProcess(process, new InetSocketAddress(loopback, Integer.parseInt(port)));
    }

    /** Where the agent listens. */
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

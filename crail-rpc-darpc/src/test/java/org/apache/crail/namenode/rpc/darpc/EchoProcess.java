/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;

/** A server or a client in a process of its own, which can be killed. */
final class EchoProcess implements AutoCloseable {
    /** Begins the line that tells; other lines are those of a logger that sets itself up. */
    private static final String READY = "READY ";

    private final Process process;
    private final BufferedReader output;

    private EchoProcess(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Djava.library.path=" + System.getProperty("java.library.path"),
                "-cp",
                System.getProperty("java.class.path"),
                EchoProcess.class.getName());
        builder.command().addAll(List.of(arguments));
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** A server that listens on {@code host}. */
    static EchoProcess server(String host) throws IOException {
        return new EchoProcess("server", host);
    }

    /** A client that has calls in flight all the time. */
    static EchoProcess client(InetSocketAddress address) throws IOException {
        return new EchoProcess("client", address.getHostString(), String.valueOf(address.getPort()));
    }

    /** The line with which the process says that it has come so far: a port, or the begin of its calls. */
    String awaitReady() throws IOException {
        String line = output.readLine();
        while (line != null && !line.startsWith(READY)) {
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException("the process ended");
        }
        return line.substring(READY.length());
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        output.close();
    }

    /** The process: {@code server HOST} or {@code client HOST PORT}. */
    public static void main(String[] arguments) throws Exception {
        DaRPCNameNode transport = new DaRPCNameNode();
        transport.init(CrailConfiguration.createEmptyConfiguration());
        if (arguments[0].equals("server")) {
            RpcServer server = transport.listen(new InetSocketAddress(arguments[1], 0), new EchoAcceptor(1));
            System.out.println(READY + server.address().getPort());
            TimeUnit.MINUTES.sleep(5);
        } else {
            InetSocketAddress address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
            RecordingReceiver receiver = new RecordingReceiver();
            RpcChannel channel = transport.connect(address, 20_000, receiver).get();
            for (int i = 0; i < 1_000_000; i++) {
                channel.send(new TestMessage(i, 1_000));
                if (i == 100) {
                    System.out.println(READY + "calling");
                }
                if (i >= 100) {
                    receiver.next();
                }
            }
        }
    }
}

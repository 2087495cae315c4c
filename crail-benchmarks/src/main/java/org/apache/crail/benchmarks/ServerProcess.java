/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server in a JVM of its own, with the class path of this one. It tells its address in one line and ends when its
 * standard input is closed, so none is left behind whatever becomes of this process. Not thread safe.
 */
final class ServerProcess implements AutoCloseable {
    private static final String READY = "READY ";
    private static final long STOP_LIMIT_SECONDS = 10;

    private final Process process;
    private final InetSocketAddress address;

    private ServerProcess(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /** Starts a server and waits until it is ready; what it writes to standard error comes out here. */
    static ServerProcess start(Class<?> main, List<String> jvmOptions, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> name.startsWith("CRAIL_"));
        Process process = builder.start();
        try {
            return new ServerProcess(process, awaitReady(process, main));
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static InetSocketAddress awaitReady(Process process, Class<?> main) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (line != null && !line.startsWith(READY)) {
            line = lines.readLine();
        }
        if (line == null) {
            throw new IOException(main.getName() + " ended before it was ready");
        }
        int colon = line.lastIndexOf(':');
        return new InetSocketAddress(
                line.substring(READY.length(), colon), Integer.parseInt(line.substring(colon + 1)));
    }

    /** Called in the server: tells the parent that it can connect. */
    static void tellReady(InetSocketAddress address) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.println(READY + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Called in the server: returns when the parent closes its end, or is gone. */
    static void awaitEndOfInput() throws IOException {
        System.in.transferTo(OutputStream.nullOutputStream());
    }

    /** Called in a server that has nothing to close: ends this process when the parent closes its end, or is gone. */
    static void exitWithParent() {
        Thread watch = new Thread(ServerProcess::exitAtEndOfInput, "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void exitAtEndOfInput() {
        try {
            awaitEndOfInput();
        } catch (IOException e) {
            System.err.println("standard input failed, which means the same as its end: " + e);
        }
        System.exit(0);
    }

    InetSocketAddress address() {
        return address;
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A server in a JVM of its own, with the class path of this one. It tells its address in one line and ends when its
 * standard input is closed, so none is left behind whatever becomes of this process. Thread safe.
 */
public final class ServerProcess implements AutoCloseable {
    private static final String READY = "READY ";
    private static final long START_LIMIT_SECONDS = 90;
    private static final long STOP_LIMIT_SECONDS = 10;

    private final Process process;
    private final String address;

    private ServerProcess(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts a server and waits until it is ready; what it writes to standard error comes out here.
     *
     * @param prefix what stands before the command
     */
    static ServerProcess start(List<String> prefix, Class<?> main, List<String> jvmOptions, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> name.startsWith("CRAIL_"));
        Process process = builder.start();
        CompletableFuture<String> ready = new CompletableFuture<>();
        ready.orTimeout(START_LIMIT_SECONDS, TimeUnit.SECONDS).exceptionally(late -> {
            process.destroyForcibly(); // which ends its output
            return null;
        });
        try {
            String address = awaitReady(process, main);
            ready.complete(address);
            return new ServerProcess(process, address);
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static String awaitReady(Process process, Class<?> main) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (line != null && !line.startsWith(READY)) {
            line = lines.readLine();
        }
        if (line == null) {
            throw new IOException(main.getName() + " ended before it was ready");
        }
        return line.substring(READY.length());
    }

    /** Called in the server: tells the parent that it can connect. */
    public static void tellReady(InetSocketAddress address) {
        tellReady(address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Called in the server: tells the parent where to connect. */
    static void tellReady(String address) {
        new PrintStream(System.out, true, StandardCharsets.UTF_8).println(READY + address);
    }

    /** Called in the server: returns when the parent closes its end, or is gone. */
    public static void awaitEndOfInput() throws IOException {
        System.in.transferTo(OutputStream.nullOutputStream());
    }

    /** Called in a server that has nothing to close: ends this process when the parent closes its end, or is gone. */
    public static void exitWithParent() {
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

    /** Where it listens, as it has told. */
    public InetSocketAddress address() {
        int colon = address.lastIndexOf(':');
        return new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server in a JVM of its own, with the class path of this one. It tells its address in one line and ends when its
 * standard input is closed, so none is left behind whatever becomes of this process. Thread safe.
 */
public final class ServerProcess {
    private static final String READY = "READY ";
    private static final long START_LIMIT_SECONDS = 90;

    private final String address;

    private ServerProcess(String address) {
        this.address = address;
    }

    /**
     * Starts a process, in which a server gets ready.
     *
     * @param prefix what stands before the command
     */
    static Process launch(List<String> prefix, Class<?> main, List<String> jvmOptions, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> name.startsWith("CRAIL_"));
        return builder.start();
    }

    /** Waits until a server is ready, or ends it if that takes too long. What it prints from then on comes out here. */
    static ServerProcess awaitReady(Process process, Class<?> main) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        CompletableFuture<String> address = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(lines, address), "output-of-" + main.getSimpleName());
        reader.setDaemon(true);
        reader.start();
        try {
            return new ServerProcess(address.get(START_LIMIT_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            String what = e instanceof TimeoutException ? "is not ready after " + START_LIMIT_SECONDS + " s" : "ended";
            throw new IOException(main.getName() + " " + what + "; it should tell when it is ready", e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + main.getName() + " starts");
        }
    }

    /** Reads to the end, as a server would hang whose output nobody takes. */
    private static void read(BufferedReader lines, CompletableFuture<String> address) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (address.isDone()) {
                    System.err.println(line);
                } else if (line.startsWith(READY)) {
                    address.complete(line.substring(READY.length()));
                }
            }
        } catch (IOException e) { // the server has been ended by force
            address.completeExceptionally(e);
        }
        address.completeExceptionally(new EOFException("its output ended"));
    }

    /** Called in the server: tells the parent that it can connect. */
    public static void tellReady(InetSocketAddress address) {
        tellReady(address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Called in the server: tells the parent where to connect. */
    public static void tellReady(String address) {
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
}

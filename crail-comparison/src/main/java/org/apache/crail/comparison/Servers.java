/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts the servers of all systems where the placement wants them, with data in a directory that is removed, and ends
 * them: in order, or when this process is asked to end or its parent is gone. Thread safe.
 */
public final class Servers implements AutoCloseable {
    private static final long STOP_LIMIT_SECONDS = 10;

    private final Path root;
    private final List<String> prefix;
    private final List<Process> javaServers = new ArrayList<>();
    private final List<Process> programs = new ArrayList<>();
    private int directories;
    private boolean closed;

    /**
     * Starts nothing yet.
     *
     * @param root an empty directory, which is removed in the end
     * @param prefix what stands before the command of a server
     */
    public Servers(Path root, List<String> prefix) {
        this.root = root;
        this.prefix = List.copyOf(prefix);
    }

    /** A new directory, in memory where this machine has a file system for that; removed in the end. */
    public synchronized Path newDirectory(String name) throws IOException {
        checkOpen();
        return Files.createDirectory(root.resolve(name + "-" + ++directories)); // a short path, for sockets
    }

    /**
     * Starts a Java program with this class path, and waits until it says with {@link ServerProcess#tellReady} that it
     * is ready. It must end with its standard input. Collector and heap are those of all servers, unless options name
     * others.
     */
    public ServerProcess startJava(Class<?> main, List<String> jvmOptions, List<String> arguments) throws IOException {
        Process server;
        synchronized (this) {
            checkOpen();
            server = ServerProcess.launch(prefix, main, JvmOptions.server(jvmOptions), arguments);
            javaServers.add(server);
        }
        return ServerProcess.awaitReady(server, main);
    }

    /**
     * Starts a program, which SIGTERM must end; what it prints goes to the file {@code output} in {@code directory}. It
     * is killed if this process is, where the machine has setpriv.
     */
    public synchronized Process startProgram(Path directory, List<String> command) throws IOException {
        checkOpen();
        List<String> whole = new ArrayList<>(prefix);
        whole.addAll(killedWithThis());
        whole.addAll(command);
        Process program = new ProcessBuilder(whole)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        programs.add(program);
        return program;
    }

    /**
     * Starts a client where this process is placed; it is ended, or killed with this process, as a program is. It gets
     * no variables of ours, and what it prints to standard output goes to a file.
     */
    public synchronized Process startClient(Path output, List<String> command) throws IOException {
        checkOpen();
        programs.removeIf(program -> !program.isAlive());
        List<String> whole = new ArrayList<>(killedWithThis());
        whole.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(whole)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> name.startsWith("CRAIL_"));
        Process client = builder.start();
        programs.add(client);
        return client;
    }

    private static List<String> killedWithThis() {
        return Programs.find("setpriv").isPresent() ? List.of("setpriv", "--pdeathsig", "KILL") : List.of();
    }

    /** A port of the loopback interface that was free a moment ago. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("no server is started any more: the comparison is ending");
        }
    }

    /** Whether no server is started any more. */
    public synchronized boolean isClosed() {
        return closed;
    }

    /** Asks all servers to end, waits for each, the last by force, and removes the directory. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        for (Process server : javaServers) {
            endInput(server);
        }
        programs.forEach(Process::destroy);
        List<Process> all = new ArrayList<>(javaServers);
        all.addAll(programs);
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_LIMIT_SECONDS);
        for (Process server : all) {
            awaitEnd(server, endNs);
        }
        Directories.remove(root);
    }

    private static void endInput(Process server) {
        try {
            server.getOutputStream().close();
        } catch (IOException e) { // it has ended
            server.destroy();
        }
    }

    /**
     * Waits until a process has ended, that was asked to.
     *
     * @param endNs by {@link System#nanoTime}: when it is killed
     */
    public static void awaitEnd(Process process, long endNs) throws IOException {
        try {
            if (!process.waitFor(endNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while process " + process.pid() + " ends");
        }
    }
}

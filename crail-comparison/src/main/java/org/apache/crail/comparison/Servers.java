/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts the servers of all systems where the placement wants them, with data in a directory that is removed, and ends them:
 * in order, or when this process ends for whatever reason. Thread safe.
 */
public final class Servers implements AutoCloseable {
    private static final long STOP_LIMIT_SECONDS = 10;

    private final Path root;
    private final List<String> prefix;
    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private int directories;
    private boolean closed;

    /**
     * Starts nothing yet.
     *
     * @param root an empty directory, which is removed in the end
     * @param prefix what stands before the command of a server
     */
    Servers(Path root, List<String> prefix) {
        this.root = root;
        this.prefix = List.copyOf(prefix);
    }

    /** A new directory, in memory where this machine has a file system for that; removed in the end. */
    public synchronized Path newDirectory(String name) throws IOException {
        checkOpen();
        return Files.createDirectory(root.resolve(name + "-" + ++directories)); // a short path, for sockets
    }

    /**
     * Starts a Java program with this class path, and waits until it says with {@link ServerProcess#tellReady} that it is
     * ready. It must end with its standard input.
     */
    public synchronized ServerProcess startJava(Class<?> main, List<String> jvmOptions, List<String> arguments)
            throws IOException {
        checkOpen();
        ServerProcess server = ServerProcess.start(prefix, main, jvmOptions, arguments);
        running.push(server);
        return server;
    }

    /**
     * Starts a program; what it prints goes to the file {@code output} in {@code directory}. It is killed if this process is,
     * where the machine has setpriv.
     */
    public synchronized Process startProgram(Path directory, List<String> command) throws IOException {
        checkOpen();
        List<String> whole = new ArrayList<>(prefix);
        if (Programs.find("setpriv").isPresent()) {
            whole.addAll(List.of("setpriv", "--pdeathsig", "KILL"));
        }
        whole.addAll(command);
        Process program = new ProcessBuilder(whole)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        running.push(() -> end(program));
        return program;
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

    /** Ends a process in order, or else by force. */
    static void end(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        List<AutoCloseable> all = new ArrayList<>(running);
        all.add(() -> remove(root));
        running.clear();
        closeAll(all);
    }

    /** Closes all, and then throws the first failure. */
    static void closeAll(List<? extends AutoCloseable> all) throws IOException {
        IOException failure = null;
        for (AutoCloseable each : all) {
            try {
                each.close();
            } catch (Exception e) { // whatever it is, the others must be closed
                failure = failure == null ? new IOException(each + " could not be closed", e) : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Removes a directory with all that is in it, also if others are removing it at the same time. */
    static void remove(Path directory) throws IOException {
        Path[] files;
        try (Stream<Path> walk = Files.walk(directory)) {
            files = walk.sorted(Comparator.reverseOrder()).toArray(Path[]::new);
        } catch (IOException | UncheckedIOException e) {
            if (Files.notExists(directory)) {
                return;
            }
            throw e;
        }
        for (Path file : Arrays.asList(files)) {
            Files.deleteIfExists(file);
        }
    }
}

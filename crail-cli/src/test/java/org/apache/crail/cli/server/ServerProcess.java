/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.crail.cli.Crail;
import org.apache.crail.testkit.Await;

/**
 * A server that the {@code crail} command runs, in a JVM of its own, which tests stop, continue and kill. Used by one
 * thread.
 */
@SuppressWarnings("try") // its close waits for the process, which can be interrupted
final class ServerProcess implements AutoCloseable {
    /** The number of a user whom no host has. */
    private static final int OTHER_USER = 54_321;

    private final Launch launch;
    private final Process process;
    private final Path ready;
    private final Path messages;

    private ServerProcess(Launch launch, Process process, Path ready, Path messages) {
        this.launch = launch;
        this.process = process;
        this.ready = ready;
        this.messages = messages;
    }

    /**
     * How a server's JVM is started. Immutable.
     *
     * @param prefix a command that runs the one behind it
     * @param options of the JVM
     * @param classPath where its classes are
     */
    record Launch(List<String> prefix, List<String> options, String classPath) {
        static final Launch USUAL = with("-Xmx64m");

        static Launch with(String... options) {
            return new Launch(List.of(), List.of(options), System.getProperty("java.class.path"));
        }

        /** The command up to the name of the main class. */
        List<String> java(String... furtherOptions) {
            List<String> command = new ArrayList<>(prefix);
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(options);
            command.addAll(List.of(furtherOptions));
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classPath));
            return command;
        }

        /**
         * As a user of no other process, who may read all files nevertheless: limits of processes do not hold for root.
         */
        Launch asUserOfItsOwn() {
            return new Launch(
                    List.of(
                            "setpriv",
                            "--reuid=" + OTHER_USER,
                            "--clear-groups",
                            "--inh-caps=+dac_override",
                            "--ambient-caps=+dac_override"),
                    options,
                    classPath);
        }

        /** With its classes in jars, as users have it. */
        Launch fromJars(Path work) throws IOException {
            return new Launch(prefix, options, JarredClassPath.in(work));
        }
    }

    /**
     * Starts a server, which need not be ready when this returns.
     *
     * @param name tells its files below {@code work} from those of others
     */
    static ServerProcess start(Path work, String name, Map<String, String> settings, Launch launch, String... arguments)
            throws IOException {
        Path ready = work.resolve(name + ".ready");
        Files.deleteIfExists(ready); // of a former one that was killed
        Path messages = work.resolve(name + ".err");
        Path conf = work.resolve(name + ".conf");
        Files.write(
                conf,
                settings.entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .toList());
        List<String> command = launch.java("-XX:+ExitOnOutOfMemoryError", "-D" + ReadyFile.PROPERTY + "=" + ready);
        command.addAll(List.of(Crail.class.getName(), "--conf", conf.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(messages.toFile())
                .start();
        return new ServerProcess(launch, process, ready, messages);
    }

    /** Waits until it serves; answers its port. */
    int awaitPort() throws Exception {
        Await.until("the server is ready", () -> Files.exists(ready) || !process.isAlive());
        if (!Files.exists(ready)) {
            throw new IOException("the server has ended: " + messages());
        }
        String address = Files.readAllLines(ready).get(0); // the kind of server is in the line below
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Lets all its threads stand still. */
    void pause() throws Exception {
        signal("STOP");
        Await.until("the server stands still", () -> Files.readString(
                        Path.of("/proc", Long.toString(process.pid()), "status"))
                .contains("State:\tT"));
    }

    /** Lets it go on. */
    void goOn() throws Exception {
        signal("CONT");
    }

    private void signal(String name) throws Exception {
        run(List.of("sh", "-c", "kill -" + name + " " + process.pid()));
    }

    private static void run(List<String> command) throws Exception {
        Process run = new ProcessBuilder(command).inheritIO().start();
        if (run.waitFor() != 0) {
            throw new IOException(command + " failed");
        }
    }

    /** Allows a process of this launch only so much of a resource from now on, named as prlimit names it. */
    static void limit(Launch launch, long pid, String resource, long most) throws Exception {
        List<String> command = new ArrayList<>(launch.prefix);
        command.addAll(List.of("prlimit", "--pid=" + pid, "--" + resource + "=" + most + ":"));
        run(command);
    }

    /** Allows it only so much of a resource from now on. */
    void limit(String resource, long most) throws Exception {
        limit(launch, process.pid(), resource, most);
    }

    /** How many threads it has. */
    int threads() throws IOException {
        return entries(process, "task");
    }

    /** How many descriptors it has open. */
    int descriptors() throws IOException {
        return entries(process, "fd");
    }

    /** How many threads ("task") or descriptors ("fd") a process has. */
    static int entries(Process process, String kind) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc", Long.toString(process.pid()), kind))) {
            return (int) entries.count();
        }
    }

    /** Waits until it ends by itself; answers its exit code. */
    int awaitEnd() throws Exception {
        Await.until("the server ends", () -> !process.isAlive());
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it has written to standard error. */
    String messages() throws IOException {
        return Files.readString(messages);
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor();
    }
}

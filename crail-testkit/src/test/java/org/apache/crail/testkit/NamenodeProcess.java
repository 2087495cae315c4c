/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;

/** A process with a namenode, which waits for its death. Used by one thread. */
final class NamenodeProcess implements AutoCloseable {
    private static final String PORT = "port ";

    private final Process process;
    private final int port;

    private NamenodeProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts a namenode with the class path and the options of this JVM; returns when it listens. */
    static NamenodeProcess start(CrailConfiguration configuration, Path work) throws IOException {
        List<String> lines = new ArrayList<>();
        configuration.asMap().forEach((key, value) -> lines.add(key + " = " + value));
        Path file = Files.write(work.resolve("namenode.conf"), lines);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(NamenodeProcess::isOfTheMachine)
                .forEach(command::add);
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), NamenodeProcess.class.getName(), file.toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new NamenodeProcess(process, readPort(process));
    }

    /** What a JVM needs here to start quickly and to find the native library. */
    private static boolean isOfTheMachine(String option) {
        return option.startsWith("-X")
                || option.startsWith("--add")
                || option.startsWith("-Djava.lib")
                || option.startsWith("-Dlogback");
    }

    /** Other lines are those of a logger. */
    private static int readPort(Process process) throws IOException {
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        while (line != null && !line.startsWith(PORT)) {
            line = output.readLine();
        }
        if (line == null) {
            process.destroyForcibly();
            throw new IOException("the namenode's process ended before it listened");
        }
        return Integer.parseInt(line.substring(PORT.length()));
    }

    /** Where it listens. */
    int port() {
        return port;
    }

    /** Lets it stand still from now on: it answers nothing any more, but is there. */
    void stop() throws Exception {
        Process kill = new ProcessBuilder("sh", "-c", "kill -STOP " + process.pid())
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException("kill -STOP failed");
        }
        Await.until("all threads of the namenode stand still", this::standsStill);
    }

    private boolean standsStill() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            for (Path thread : threads.toList()) {
                if (!Files.readString(thread.resolve("status")).contains("State:\tT")) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false; // a thread has ended meanwhile
        }
    }

    /** Kills it without giving it time for anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process; argument: the file with its configuration. */
    public static void main(String[] arguments) throws Exception {
        CrailConfiguration configuration = CrailConfiguration.createConfigurationFromFile(arguments[0]);
        try (Namenode namenode = Namenode.start(configuration, NamenodeOptions.none())) {
            System.out.println(PORT + namenode.address().getPort());
            System.out.close(); // nobody reads what comes behind
            System.in.read(); // ends with the process that started this one
        }
    }
}

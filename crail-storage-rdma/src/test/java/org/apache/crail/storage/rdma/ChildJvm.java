/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Another JVM with this one's class path and options, that answers a line with a line. Not thread safe. */
final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final PrintWriter in;

    private ChildJvm(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.in = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /**
     * Starts a JVM.
     *
     * @param wrapper command that runs the JVM, for example with other limits; may be empty
     * @param address of the device to use, or null for the first
     */
    static ChildJvm start(List<String> wrapper, String address, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.add(System.getProperty("java.home") + "/bin/java");
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option ->
                        option.startsWith("-X") || option.startsWith("--add") || option.startsWith("-Djava.lib"))
                .forEach(command::add);
        if (address != null) {
            command.add("-D" + TierFixture.ADDRESS + "=" + address);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new ChildJvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The next line that it prints with "> " before it, without that. */
    String read() throws IOException {
        String line = out.readLine();
        while (line != null && !line.startsWith("> ")) {
            line = out.readLine();
        }
        if (line == null) {
            throw new IOException("the other JVM has ended");
        }
        return line.substring(2);
    }

    String ask(String question) throws IOException {
        in.println(question);
        return read();
    }

    /** How many files it has open. */
    long openFiles() {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Sets its limit on locked memory; {@code unlimited} for none. */
    void limitLockedMemory(String bytes) throws IOException, InterruptedException {
        int exitCode = new ProcessBuilder("prlimit", "--pid", Long.toString(process.pid()), "--memlock=" + bytes)
                .inheritIO()
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new IOException("prlimit failed with exit code " + exitCode);
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
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The command as a process of its own, with as little work as possible. Used by one thread. */
final class ComparisonProcess implements AutoCloseable {
    private static final long LIMIT_SECONDS = 840;
    private static final String END = "the output has ended";

    private final Process process;
    private final BlockingQueue<String> coming = new LinkedBlockingQueue<>();
    private final List<String> lines = new ArrayList<>();
    private final Set<ProcessHandle> known = new HashSet<>();

    /**
     * Starts it.
     *
     * @param temporary what all its JVMs have for temporary files
     */
    ComparisonProcess(Path temporary, List<String> arguments) throws IOException {
        this(temporary, List.of(), Map.of(), arguments);
    }

    /**
     * Starts it.
     *
     * @param temporary what all its JVMs have for temporary files
     * @param classes directories that stand before the class path of this JVM
     * @param environment variables besides those of this process, or with other values
     */
    ComparisonProcess(Path temporary, List<Path> classes, Map<String, String> environment, List<String> arguments)
            throws IOException {
        List<String> classPath = new ArrayList<>();
        classes.forEach(directory -> classPath.add(directory.toString()));
        classPath.add(System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                String.join(File.pathSeparator, classPath),
                Comparison.class.getName(),
                "--quick"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary);
        process = builder.start();
        Thread reader = new Thread(this::read, "output-of-comparison");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            reader.lines().forEach(coming::add);
        } catch (IOException | UncheckedIOException e) {
            coming.add(e.toString());
        }
        coming.add(END);
    }

    /** Waits for a line that begins so, or fails with all that it has printed. */
    void awaitLine(String begin) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        String line = "";
        while (!line.startsWith(begin)) {
            line = coming.poll(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null || (line.equals(END) && !begin.equals(END))) {
                fail("no line begins with '%s': %s", begin, String.join("\n", lines));
            }
            lines.add(line);
        }
    }

    /** Waits until it has ended; the exit code. */
    int awaitEnd() throws InterruptedException {
        awaitLine(END);
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** What it has printed so far, as far as it was waited for. */
    List<String> lines() {
        return lines;
    }

    /** The client and the servers that run now. */
    List<ProcessHandle> descendants() {
        List<ProcessHandle> now = process.descendants().toList();
        known.addAll(now);
        return now;
    }

    /** The client; its children are the servers. */
    ProcessHandle client() {
        List<ProcessHandle> children = process.children().toList();
        assertThat(children).hasSize(1);
        return children.get(0);
    }

    ProcessHandle handle() {
        return process.toHandle(); // Process.destroy would close the stream that is read
    }

    /** Kills what is left. */
    @Override
    public void close() {
        process.descendants().forEach(known::add);
        known.forEach(ProcessHandle::destroyForcibly);
        handle().destroyForcibly();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.crail.cli.Crail;
import org.apache.crail.testkit.Await;

/** A server that the {@code crail} command runs, in a JVM of its own, which tests stop, continue and kill. Used by one thread. */
@SuppressWarnings("try") // its close waits for the process, which can be interrupted
final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final Path ready;
    private final Path messages;

    private ServerProcess(Process process, Path ready, Path messages) {
        this.process = process;
        this.ready = ready;
        this.messages = messages;
    }

    /**
     * Starts a server, which need not be ready when this returns.
     *
     * @param name tells its files below {@code work} from those of others
     */
    static ServerProcess start(Path work, String name, Map<String, String> settings, String... arguments)
            throws IOException {
        Path ready = work.resolve(name + ".ready");
        Path messages = work.resolve(name + ".err");
        Path conf = work.resolve(name + ".conf");
        Files.write(
                conf,
                settings.entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .toList());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-D" + ReadyFile.PROPERTY + "=" + ready,
                "-cp",
                System.getProperty("java.class.path"),
                Crail.class.getName(),
                "--conf",
                conf.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(messages.toFile())
                .start();
        return new ServerProcess(process, ready, messages);
    }

    /** Waits until it serves; answers its port. */
    int awaitPort() throws Exception {
        Await.until("the server is ready", () -> Files.exists(ready) || !process.isAlive());
        if (!Files.exists(ready)) {
            throw new IOException("the server has ended: " + messages());
        }
        String address = Files.readString(ready).strip();
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
        Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start();
        if (kill.waitFor() != 0) {
            throw new IOException("kill -" + name + " failed");
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

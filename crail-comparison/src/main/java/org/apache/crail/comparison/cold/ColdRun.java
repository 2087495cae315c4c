/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.cold;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.crail.comparison.Directories;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.Servers;

/** Starts cold clients, one at a time, where this process is placed, and reads their marks. Used by one thread. */
public final class ColdRun {
    /** For all but the operations: to start, to open, to check and to close. */
    private static final long BESIDES_LIMIT_MS = 60_000;

    private final Servers servers;
    private final List<String> jvmOptions;
    private final ColdEffort effort;
    private final Map<String, ColdClassPath> classPaths = new HashMap<>();

    /**
     * Starts nothing yet.
     *
     * @param jvmOptions that users want; without them those are the JVM's defaults
     */
    public ColdRun(Servers servers, List<String> jvmOptions, ColdEffort effort) {
        this.servers = servers;
        this.jvmOptions = List.copyOf(jvmOptions);
        this.effort = effort;
    }

    /**
     * Runs a client that need not be quick: what it loads is on the class path of the system's clients from then on.
     */
    public ColdMarks learn(Peer peer, ColdWork work, String place) throws Exception {
        Path log = servers.newDirectory("classes").resolve("log");
        List<String> options = List.of("-Xlog:class+load=info:file=" + log + ":none");
        ColdMarks marks = run(peer, work, place, options, System.getProperty("java.class.path"));
        classPathOf(peer).learn(log);
        Directories.remove(log.getParent());
        return marks;
    }

    /** Runs a client. */
    public ColdMarks run(Peer peer, ColdWork work, String place) throws Exception {
        return run(peer, work, place, List.of(), classPathOf(peer).text());
    }

    private ColdClassPath classPathOf(Peer peer) {
        return classPaths.computeIfAbsent(
                peer.name(), name -> new ColdClassPath(System.getProperty("java.class.path")));
    }

    private ColdMarks run(Peer peer, ColdWork work, String place, List<String> options, String classPath)
            throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, ColdClient.class.getName()));
        command.addAll(List.of(
                ColdSystems.key(peer),
                peer.address().orElseThrow(),
                work.name(),
                place,
                Long.toString(effort.limitMs()),
                Long.toString(System.currentTimeMillis()),
                effort.marks(work).stream().map(Object::toString).collect(Collectors.joining(","))));
        Path directory = servers.newDirectory("client");
        Path output = directory.resolve("output");
        awaitEnd(servers.startClient(output, command));
        ColdMarks marks = ColdMarks.parse(Files.readAllLines(output));
        Directories.remove(directory);
        return marks;
    }

    private void awaitEnd(Process client) throws IOException, InterruptedException {
        long limitMs = effort.limitMs() + BESIDES_LIMIT_MS;
        if (!client.waitFor(limitMs, TimeUnit.MILLISECONDS)) {
            client.destroyForcibly();
            throw new IOException("its client has not ended within " + limitMs + " ms");
        }
        if (client.exitValue() != 0) {
            throw new IOException("its client ended with exit code " + client.exitValue() + "; see above");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.cli.server.ServerProcess.Launch;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NamenodeBusyException;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that get no more threads: each runs as a user of its own, whose processes the system limits. */
@Tag("faults")
@Timeout(300)
class LimitedThreadsTest extends ServersInProcesses {
    private static final int BYTES = 200_000;
    private static final int NEWCOMERS = 4;
    private static final long NEWCOMER_MS = 2_000;
    private static final long PATIENT_MS = 60_000;
    private static final long MANY = 10_000;
    private static final List<String> CALLS = List.of("lookup", "read", "write", "list", "open");
    private static final int OPEN = CALLS.indexOf("open");

    @BeforeEach
    void allowUsersOfTheirOwn() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "no setpriv here");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "no prlimit here");
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can be other users");
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxrwxrwx"));
        settings.put("crail.connecttimeout", "60s");
        settings.put("crail.storage.tcp.mapped", "false");
        settings.put("crail.tokenexpiration", "1s");
    }

    @Test
    void shouldServeOnWithANamenodeThatGetsNoThread() throws Exception {
        ServerProcess namenode = startNamenode(Launch.USUAL.asUserOfItsOwn());
        startDatanode(Launch.USUAL);
        TestClient early = clientWithFile();
        namenode.limit("nproc", 1);
        assertThatThrownBy(() -> ask(new CheckRequest())) // which needs a thread of its own
                .isInstanceOf(NamenodeBusyException.class)
                .hasMessageContaining("no thread can be had");
        serveWithoutThreads(namenode, early);
    }

    @Test
    void shouldServeOnWithADatanodeThatGetsNoThread() throws Exception {
        startNamenode(Launch.USUAL);
        ServerProcess datanode = startDatanode(Launch.USUAL.asUserOfItsOwn());
        TestClient early = clientWithFile();
        datanode.limit("nproc", 1);
        serveWithoutThreads(datanode, early);
    }

    private TestClient clientWithFile() throws Exception {
        TestClient client = openClient(PATIENT_MS);
        client.write("/first", Pattern.of(1, BYTES));
        return client;
    }

    private void serveWithoutThreads(ServerProcess server, TestClient early) throws Exception {
        int threads = server.threads();
        CrailConfiguration hasty = configuration();
        hasty.set("crail.connecttimeout", NEWCOMER_MS + "ms");
        hasty.set("crail.datatimeout", NEWCOMER_MS + "ms");
        for (int i = 0; i < NEWCOMERS; i++) {
            try {
                assertReads(keep(TestClient.open(hasty)));
            } catch (CrailException e) {
                assertThat(server.isAlive()).as(e.getMessage()).isTrue();
            }
        }
        assertReads(early);
        early.write("/meanwhile", Pattern.of(2, BYTES));
        assertThat(server.threads()).isLessThanOrEqualTo(threads);

        server.limit("nproc", MANY);
        assertReads(openClient(PATIENT_MS));
        checkBlocks();
    }

    private static void assertReads(TestClient client) throws Exception {
        assertThat(client.read("/first")).isEqualTo(Pattern.of(1, BYTES));
    }

    @Test
    void shouldEndCallsOfAClientThatGetsNoThread() throws Exception {
        startNamenode(Launch.USUAL);
        startDatanode(Launch.USUAL);
        Path conf = Files.write(
                work.resolve("client.conf"),
                settings.entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .toList());
        Launch launch = Launch.USUAL.asUserOfItsOwn();
        List<String> command = launch.java();
        command.addAll(List.of(LimitedClient.class.getName(), conf.toString()));
        Process client = new ProcessBuilder(command)
                .redirectError(work.resolve("client.err").toFile())
                .start();
        keep(client::destroyForcibly);
        try (BufferedReader out =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                BufferedWriter in =
                        new BufferedWriter(new OutputStreamWriter(client.getOutputStream(), StandardCharsets.UTF_8))) {
            assertThat(answers(out)).as("the program has begun").isNotNull();
            ServerProcess.limit(launch, client.pid(), "nproc", 1);

            List<String> limited = ask("open", in, out);
            assertThat(limited).hasSize(CALLS.size());
            assertThat(limited.subList(0, OPEN)).allMatch(answer -> answer.matches("[a-z]+ (ok|[A-Z_]+)"));
            assertThat(limited.get(OPEN)).contains("OutOfMemoryError"); // a store begins with a thread

            ServerProcess.limit(launch, client.pid(), "nproc", MANY);
            assertThat(ask("open", in, out)).hasSize(CALLS.size()).allMatch(answer -> answer.endsWith(" ok"));
        }
    }

    private static List<String> ask(String wish, BufferedWriter in, BufferedReader out) throws IOException {
        in.write(wish + "\n");
        in.flush();
        return answers(out);
    }

    /** The lines up to the one that ends them; null if the program has ended. */
    private static List<String> answers(BufferedReader out) throws IOException {
        List<String> answers = new ArrayList<>();
        String line = out.readLine();
        while (line != null && !line.equals("all")) {
            if (CALLS.contains(line.substring(0, Math.max(0, line.indexOf(' '))))) { // the JVM writes lines of its own
                answers.add(line);
            }
            line = out.readLine();
        }
        return line == null ? null : answers;
    }
}

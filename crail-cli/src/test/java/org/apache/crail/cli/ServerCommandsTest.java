/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.crail.conf.CrailConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerCommandsTest {
    private static CommandRun crail(String... arguments) {
        return CommandRun.of(CrailConfiguration.createEmptyConfiguration(), arguments);
    }

    @Test
    void shouldRunACommandOnAClusterOfItsOwn() {
        CommandRun run =
                crail("mini", "-p", "0", "-n", "3", "-s", "4m", "report").ok();

        assertThat(run.out()).contains("datanodes: 3 live, 0 silent; capacity 12 MiB");
    }

    @Test
    void shouldPassOptionsAndExitCodesOfTheNestedCommand() {
        CommandRun run = crail("mini", "-p", "0", "-n", "1", "-s", "4m", "fs", "-cat", "/none");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("/none does not exist").hasLineCount(1);
        assertThat(crail("mini", "-p", "0", "-n", "1", "-s", "4m", "--", "fs", "--nope")
                        .exitCode())
                .isEqualTo(2);
        assertThat(crail("mini", "-n", "0").exitCode()).isEqualTo(2);
    }

    /** The configuration is looked at later, and no server starts. */
    @Test
    void shouldCheckTheNestedCommandFirst() {
        CommandRun run = crail("-D", "crail.blocksize=wrong", "mini", "nosuch");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("crail: no such command: nosuch").hasLineCount(1);
        assertThat(crail("-D", "crail.blocksize=wrong", "mini", "fs", "-lss").err())
                .contains("did you mean -ls?");
    }

    @Test
    void shouldCheckTheNestedCommandBeforeAnythingStarts() {
        CommandRun run = crail("-D", "crail.storage.tcp.datapath=/proc/none", "mini", "-p", "0", "fs", "-lss");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("-lss").contains("did you mean").hasLineCount(1);
    }

    @Test
    void shouldStopServersWhenInterrupted() throws Exception {
        int[] exitCode = {-1};
        Thread server = new Thread(() ->
                exitCode[0] = crail("namenode", "-a", "127.0.0.1", "-p", "0").exitCode());
        server.start();
        server.interrupt();

        server.join(60_000);
        assertThat(server.isAlive()).isFalse();
        assertThat(exitCode[0]).isZero();
    }

    @Test
    void shouldSayThatThePortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());

            CommandRun run = crail("namenode", "-a", "127.0.0.1", "-p", port);

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).startsWith("crail namenode: ").contains(port).hasLineCount(1);
        }
    }

    @Test
    void shouldSayThatTheDataPathCannotBeUsed(@TempDir Path directory) throws Exception {
        Path file = Files.createFile(directory.resolve("file"));

        CommandRun run = crail(
                "-D", "crail.storage.tcp.datapath=" + file.resolve("below"), "mini", "-p", "0", "-s", "4m", "report");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("crail mini: ")
                .contains(file.toString())
                .hasLineCount(1);
    }

    @Test
    void shouldSayThatTheTierIsWrong() {
        CommandRun run = crail("-D", "crail.rpctimeout=300ms", "datanode", "-t", "org.example.None");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("crail datanode: ")
                .contains("org.example.None")
                .hasLineCount(1);
    }

    @Test
    void shouldRefuseWrongOptions() {
        assertThat(crail("namenode", "-p", "many").exitCode()).isEqualTo(2);
        assertThat(crail("datanode", "--port", "1").exitCode()).isEqualTo(2);
    }
}

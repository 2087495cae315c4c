/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.crail.cli.console.Console;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many commands in one process. */
class ShellCommandTest extends ClusterTest {
    private static CommandRun shell(String lines, String... arguments) {
        return crailWithInput(lines.getBytes(UTF_8), arguments);
    }

    @Test
    void shouldRunCommandsOfFsAndOthers() {
        CommandRun run = shell("mkdir '/a b'\n# nothing\n\n-touchz \"/a b/f\"\nfs -ls -C /*\nping\n", "shell")
                .ok();

        assertThat(run.lines().get(0)).isEqualTo("/a b/f");
        assertThat(run.lines().get(1)).contains("answered in");
        assertThat(run.lines()).hasSize(2);
    }

    @Test
    void shouldRunCommandsOfFsFromAFile(@TempDir Path local) throws Exception {
        Path script = Files.writeString(local.resolve("script"), "-mkdir /a\nls -C /");

        assertThat(crail("fs", "-f", script.toString()).ok().lines()).containsExactly("/a");
        assertThat(crail("shell", script.toString()).exitCode()).isEqualTo(1);
        assertThat(shell("ls -C /\n", "fs", "-f", "-").ok().lines()).containsExactly("/a");
        assertThat(crail("shell", local.resolve("none").toString()).err())
                .contains("none does not exist")
                .hasLineCount(1);
    }

    @Test
    void shouldGoOnAfterAFailureAndTellTheFirst() {
        CommandRun run = shell("nosuch\nls /none\nmkdir /a\nls 'x\n", "shell");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("no such command: nosuch", "/none does not exist", "' is not closed");
        assertThat(crail("fs", "-ls", "-C", "/").ok().lines()).containsExactly("/a");
    }

    @Test
    void shouldEndWithTheFirstFailureWhenTold() {
        CommandRun run = shell("ls /none\nmkdir /a\n", "shell", "-e");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(crail("fs", "-ls", "-C", "/").ok().lines()).isEmpty();
    }

    @Test
    void shouldLeaveTheRestOfTheInputToACommandThatReadsIt() {
        shell("put - /f\nthe rest", "shell").ok();

        assertThat(crail("fs", "-cat", "/f").ok().out()).isEqualTo("the rest");
    }

    @Test
    void shouldPromptOnATerminalOnly() {
        ByteArrayInputStream in = new ByteArrayInputStream("ls /none\nexit\nmkdir /a\n".getBytes(UTF_8));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Console console = Console.of(in, out, new ByteArrayOutputStream(), true);

        int exitCode = new CrailCommandLine(console, cluster().configuration()).run("shell");

        assertThat(exitCode).isEqualTo(1);
        assertThat(out.toString(UTF_8)).isEqualTo("crail> crail> ");
        assertThat(crail("fs", "-ls", "-C", "/").ok().lines()).isEmpty();
        assertThat(shell("exit\n", "shell").ok().out()).isEmpty();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.crail.cli.console.Console;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies that fail say what is wrong, on which file, and leave nothing behind. */
class FsCopyFailuresTest extends ClusterTest {
    private static final String LONGEST_NAME = "n".repeat(255);

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void makeFile() throws Exception {
        file = Files.writeString(directory.resolve("file"), "new");
    }

    @Test
    void shouldReplaceAndFetchFilesWithTheLongestNames() throws Exception {
        crailWithInput("old".getBytes(UTF_8), "fs", "-put", "-", "/" + LONGEST_NAME)
                .ok();

        crail("fs", "-put", "-f", file.toString(), "/" + LONGEST_NAME).ok();
        crail("fs", "-get", "/" + LONGEST_NAME, directory.toString()).ok();

        assertThat(directory.resolve(LONGEST_NAME)).hasContent("new");
    }

    @Test
    void shouldTellHowToReplaceWhatExists() {
        crail("fs", "-put", file.toString(), "/f").ok();

        CommandRun run = crail("fs", "-put", file.toString(), "/f");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("/f exists").contains("-f to replace").hasLineCount(1);
    }

    @Test
    void shouldNotTakeAMissingDirectoryForAFile() {
        CommandRun put = crail("fs", "-put", file.toString(), "/none/");
        crail("fs", "-put", file.toString(), "/f").ok();
        CommandRun get = crail("fs", "-get", "/f", directory.resolve("none") + "/");

        assertThat(put.exitCode()).isEqualTo(1);
        assertThat(put.err())
                .contains("/none/ is no directory")
                .contains("-mkdir")
                .hasLineCount(1);
        assertThat(get.exitCode()).isEqualTo(1);
        assertThat(get.err()).contains("none is no directory that exists").hasLineCount(1);
        assertThat(directory.resolve("none")).doesNotExist();
    }

    @Test
    void shouldNameTheLocalDirectoryThatIsMissing() {
        crail("fs", "-put", file.toString(), "/f").ok();

        CommandRun run =
                crail("fs", "-get", "/f", directory.resolve("none/back").toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("local path " + directory.resolve("none") + " is no directory")
                .doesNotContain("COPYING")
                .hasLineCount(1);
    }

    @Test
    @SuppressWarnings("try") // the cluster's close declares Exception
    void shouldNameTheFileOfAFailureOnData() throws Exception {
        try (MiniCluster full =
                MiniCluster.builder(ClusterKind.SOCKETS).blocksPerDatanode(3).start()) {
            Files.write(file, new byte[1 << 20]);

            CommandRun run = CommandRun.of(full.configuration(), "fs", "-put", file.toString(), "/large");

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err())
                    .contains(file.toString())
                    .contains("block")
                    .doesNotContain("wait")
                    .hasLineCount(1);
        }
    }

    @Test
    @SuppressWarnings("try") // the cluster's close declares Exception
    void shouldSayOnceThatTheStoreIsFull() throws Exception {
        try (MiniCluster full =
                MiniCluster.builder(ClusterKind.SOCKETS).blocksPerDatanode(8).start()) {
            Path many = Files.createDirectory(directory.resolve("many"));
            for (int i = 0; i < 100; i++) {
                Files.write(many.resolve(Integer.toString(i)), new byte[100_000]);
            }

            CommandRun run = CommandRun.of(full.configuration(), "fs", "-put", many.toString(), "/");

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err())
                    .contains("no block for", "/many/", "what is not copied yet is left")
                    .doesNotContain("COPYING")
                    .doesNotContainPattern("\\bnode\\b")
                    .hasLineCount(1);
        }
    }

    @Test
    void shouldNameThePathThatWasTyped() throws Exception {
        crail("fs", "-put", file.toString(), "/f").ok();

        CommandRun below = crail("fs", "-put", file.toString(), "/f/g");
        CommandRun proc = crail("fs", "-get", "/f", "/proc/x");

        assertThat(below.err()).contains("/f/g").doesNotContain("COPYING").hasLineCount(1);
        assertThat(proc.exitCode()).isEqualTo(1);
        assertThat(proc.err())
                .contains("local file /proc/x cannot be created in /proc; check")
                .doesNotContain("COPYING")
                .hasLineCount(1);
    }

    @Test
    void shouldNotFillTheScreenWithFailures() {
        String[] command = new String[102];
        Arrays.fill(command, "/none");
        command[0] = "fs";
        command[1] = "-cat";

        assertThat(crail(command).err()).hasLineCount(21).contains("80 more failures");
    }

    @Test
    void shouldLeaveNothingBehindWhenItIsInterrupted() throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (PipedOutputStream source = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(source)) {
            Console console = Console.of(in, new ByteArrayOutputStream(), err, false);
            CrailCommandLine commandLine =
                    new CrailCommandLine(console, cluster().configuration());
            Thread command = new Thread(() -> commandLine.run("fs", "-put", "-", "/endless"));
            command.start();
            source.write("some bytes".getBytes(UTF_8));
            Await.until(
                    "the file is there",
                    () -> !crail("fs", "-ls", "-C", "/").ok().lines().isEmpty());

            command.interrupt();
            command.join();
        }

        assertThat(err.toString(UTF_8)).containsIgnoringCase("interrupted");
        assertThat(crail("fs", "-ls", "-C", "/").ok().lines()).isEmpty();
    }

    @Test
    void shouldLeaveNothingBehindWhenItsProcessIsToldToEnd() throws Exception {
        Process command = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dcrail.namenode.address=crail://localhost:"
                                + cluster().namenodeAddress().getPort(),
                        Crail.class.getName(),
                        "fs",
                        "-put",
                        "-",
                        "/endless")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            command.getOutputStream().write("some bytes".getBytes(UTF_8));
            command.getOutputStream().flush();
            Await.until(
                    "the file is there",
                    () -> !crail("fs", "-ls", "-C", "/").ok().lines().isEmpty());

            command.toHandle().destroy(); // a signal, as Ctrl-C; standard input stays open
            assertThat(command.waitFor(60, TimeUnit.SECONDS)).isTrue();

            assertThat(command.exitValue()).isNotZero();
            assertThat(crail("fs", "-ls", "-C", "/").ok().lines()).isEmpty();
        } finally {
            command.destroyForcibly();
        }
    }
}

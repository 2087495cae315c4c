/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The commands of {@code hadoop fs}, as people type them. */
@Tag("hdfs")
@ResourceLock(Resources.SYSTEM_OUT)
class ShellTest {
    private static final String ROOT = "/shell";

    @TempDir
    Path local;

    private Configuration conf;
    private FsShell shell;

    @BeforeEach
    void start() throws Exception {
        conf = SharedCluster.configure(new Configuration());
        shell = new FsShell(conf);
        assertThat(run("-mkdir", "-p", ROOT + "/d/e")).isEmpty();
    }

    @AfterEach
    void stop() throws Exception {
        run("-rm", "-r", "-f", "-skipTrash", ROOT);
        shell.close();
    }

    /** Runs a command that succeeds; gives what it printed. */
    private String run(String... arguments) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream former = System.out;
        int status;
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            status = shell.run(arguments);
        } finally {
            System.setOut(former);
        }
        String printed = bytes.toString(StandardCharsets.UTF_8);
        assertThat(status).as(String.join(" ", arguments) + "\n" + printed).isZero();
        return printed;
    }

    private Path localFile(String name, int bytes) throws Exception {
        byte[] contents = new byte[bytes];
        new Random(bytes).nextBytes(contents);
        return Files.write(local.resolve(name), contents);
    }

    @Test
    void shouldPutListAndGet() throws Exception {
        Path file = localFile("größe", 200_000);
        run("-put", file.toString(), ROOT + "/d/größe");
        assertThat(run("-ls", "-R", ROOT))
                .contains(ROOT + "/d/größe")
                .contains("200000")
                .contains(ROOT + "/d/e");
        run("-get", ROOT + "/d/größe", local.resolve("back").toString());
        assertThat(Files.mismatch(local.resolve("back"), file)).isEqualTo(-1);
        assertThat(run("-du", "-h", ROOT)).contains("195.3 K");
        assertThat(run("-count", ROOT)).contains("3            1             200000");
        assertThat(run("-stat", "%b %n %o %r", ROOT + "/d/größe")).isEqualTo("200000 größe 67108864 1\n");
        assertThat(run("-test", "-f", ROOT + "/d/größe")).isEmpty();
        assertThat(run("-test", "-d", ROOT + "/d")).isEmpty();
        assertThat(shell.run(new String[] {"-test", "-e", ROOT + "/none"})).isEqualTo(1);
        assertThat(run("-checksum", ROOT + "/d/größe")).contains("NONE");
        assertThat(run("-df", ROOT)).contains("crail://");
    }

    @Test
    void shouldCopyMoveAndRemove() throws Exception {
        Path file = localFile("f", 200_000);
        run("-put", file.toString(), ROOT + "/f");
        run("-cp", ROOT + "/f", ROOT + "/d/copy");
        run("-mv", ROOT + "/f", ROOT + "/d/e");
        assertThat(shell.run(new String[] {"-test", "-e", ROOT + "/f"})).isEqualTo(1);
        run("-cp", ROOT + "/d", ROOT + "/second");
        for (String copy : List.of("/d/copy", "/d/e/f", "/second/copy", "/second/e/f")) {
            assertSameBytes(ROOT + copy, file);
        }
        assertThat(shell.run(new String[] {"-rm", ROOT + "/d"})).isEqualTo(1);
        run("-rm", "-r", "-skipTrash", ROOT + "/d");
        assertThat(shell.run(new String[] {"-test", "-e", ROOT + "/d"})).isEqualTo(1);
        run("-rmdir", "--ignore-fail-on-non-empty", ROOT + "/second");
        assertSameBytes(ROOT + "/second/e/f", file);
    }

    private void assertSameBytes(String path, Path expected) throws Exception {
        Path fetched = local.resolve("fetched");
        run("-get", "-f", path, fetched.toString());
        assertThat(Files.mismatch(fetched, expected)).as(path).isEqualTo(-1);
    }

    @Test
    void shouldShowTheLastKilobyte() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            lines.append("line ").append(i).append('\n');
        }
        Path file = Files.writeString(local.resolve("lines"), lines);
        run("-put", file.toString(), ROOT + "/lines");
        assertThat(run("-tail", ROOT + "/lines")).isEqualTo(lines.substring(lines.length() - 1024));
    }

    @Test
    void shouldWriteAppendMergeAndShow() throws Exception {
        Path one = Files.writeString(local.resolve("one"), "first\n");
        Path two = Files.writeString(local.resolve("two"), "second\n");
        run("-put", one.toString(), ROOT + "/d/one");
        run("-put", "-f", one.toString(), ROOT + "/d/one");
        assertThat(shell.run(new String[] {"-put", one.toString(), ROOT + "/d/one"}))
                .isEqualTo(1);
        run("-appendToFile", two.toString(), ROOT + "/d/one");
        assertThat(run("-cat", ROOT + "/d/one")).isEqualTo("first\nsecond\n");
        assertThat(run("-tail", ROOT + "/d/one")).isEqualTo("first\nsecond\n");
        run("-put", two.toString(), ROOT + "/d/two");
        run("-getmerge", ROOT + "/d", local.resolve("merged").toString());
        assertThat(local.resolve("merged")).hasContent("first\nsecond\nsecond");
        run("-touchz", ROOT + "/d/empty");
        assertThat(run("-stat", "%b", ROOT + "/d/empty")).isEqualTo("0\n");
        run("-touch", "-m", "-t", "20200101:000000", ROOT + "/d/empty");
        run("-chmod", "600", ROOT + "/d/empty");
        run("-chown", "anna:staff", ROOT + "/d/empty");
        assertThat(run("-ls", ROOT + "/d/empty"))
                .contains("-rw-------")
                .contains("anna staff")
                .contains("2020-01-01");
        assertThat(run("-find", ROOT, "-name", "t*")).contains(ROOT + "/d/two");
    }

    @Test
    void shouldReachTheSameFilesByFullPaths() throws Exception {
        run("-touchz", ROOT + "/f");
        try (FileSystem fs = FileSystem.newInstance(SharedCluster.uri(), conf)) {
            assertThat(run("-ls", fs.getUri() + ROOT)).contains(fs.getUri() + ROOT + "/f");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.crail.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands of Hadoop's fs that are no plain copy or listing. */
class FsVerbsTest extends ClusterTest {
    private static final String USER = System.getProperty("user.name");

    private static void put(String path, String text) {
        crailWithInput(text.getBytes(UTF_8), "fs", "-put", "-", path).ok();
    }

    private static String cat(String path) {
        return crail("fs", "-cat", path).ok().out();
    }

    @Test
    void shouldLetNodesGoByThemselves() throws Exception {
        crail("fs", "-mkdir", "-p", "/job/a", "/tmp").ok();
        crail("fs", "-expire", "2h", "/job").ok();
        crail("fs", "-expire", "-each", "30min", "/tmp").ok();
        crail("fs", "-touchz", "/tmp/f").ok();

        assertThat(crail("fs", "-stat", "/job").ok().out())
                .containsPattern("goes in (1 h 59|2 h 0) min, time to live -");
        assertThat(crail("fs", "-stat", "%n %e %t", "/tmp", "/job/a").ok().lines())
                .containsExactly("tmp - 30 min 0 s", "a - -");
        assertThat(crail("fs", "-stat", "%t", "/tmp/f").ok().lines()).containsExactly("30 min 0 s");

        crail("fs", "-expire", "never", "/job").ok();
        assertThat(crail("fs", "-stat", "%e", "/job").ok().lines()).containsExactly("-");
        crail("fs", "-expire", "1", "/job", "/tmp").ok();
        Await.until(
                "both have gone", () -> crail("fs", "-ls", "-C", "/").ok().out().isEmpty());
    }

    @Test
    void shouldRefuseTimesThatAreNone() {
        for (String time : List.of("0", "soon", "1 fortnight")) {
            CommandRun run = crail("fs", "-expire", time, "/");
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("TIME \"" + time + "\" is no time ahead; write 2h, 30min, 90s or never");
        }
        assertThat(crail("fs", "-expire", "1h", "/").exitCode()).isEqualTo(1);
    }

    @Test
    void shouldCopyTreesWithinTheStore() {
        crail("fs", "-mkdir", "-p", "/a/b", "/to").ok();
        crail("fs", "-mkdir", "--type", "table", "/a/t").ok();
        put("/a/b/f", "text");
        put("/a/t/key", "value");

        crail("fs", "-cp", "/a", "/copy").ok();
        crail("fs", "-cp", "/a/b", "/a/t", "/to").ok();

        assertThat(cat("/copy/b/f") + cat("/to/b/f")).isEqualTo("texttext");
        assertThat(crail("fs", "-stat", "%F", "/copy/t", "/to/t/key").ok().lines())
                .containsExactly("table", "keyvalue");
        assertThat(cat("/to/t/key")).isEqualTo("value");
    }

    @Test
    void shouldCopyBytesOfSeveralBlocks() {
        byte[] bytes = new byte[300_001];
        new Random(1).nextBytes(bytes);
        crailWithInput(bytes, "fs", "-put", "-", "/f").ok();

        crail("fs", "-cp", "/f", "/g").ok();

        assertThat(crail("fs", "-cat", "/g").ok().outBytes()).isEqualTo(bytes);
    }

    @Test
    void shouldCopyOverAFileOnlyWhenTold() {
        put("/f", "new");
        put("/g", "old");

        CommandRun run = crail("fs", "-cp", "/f", "/g");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("/g exists", "-f to replace").hasLineCount(1);
        assertThat(cat("/g")).isEqualTo("old");
        crail("fs", "-cp", "-f", "/f", "/g").ok();
        assertThat(cat("/g")).isEqualTo("new");
    }

    @Test
    void shouldNotCopyOntoOrBelowItself() {
        crail("fs", "-mkdir", "/d").ok();
        put("/d/f", "text");

        for (String[] paths : new String[][] {{"/d", "/d"}, {"/d", "/d/e"}, {"/d/f", "/d/f"}, {"/d/f", "/d"}}) {
            CommandRun run = crail("fs", "-cp", "-f", paths[0], paths[1]);
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("which is itself or below it").hasLineCount(1);
        }
        assertThat(cat("/d/f")).isEqualTo("text");
    }

    @Test
    void shouldKeepPropertiesOfACopyWhenTold() {
        put("/f", "text");
        crail("fs", "-chmod", "640", "/f").ok();
        crail("fs", "-chown", "alice:staff", "/f").ok();

        crail("fs", "-cp", "-p", "/f", "/g").ok();
        crail("fs", "-cp", "/f", "/h").ok();

        String format = "%u %g %a %Y";
        assertThat(crail("fs", "-stat", format, "/g").ok().out())
                .isEqualTo(crail("fs", "-stat", format, "/f").ok().out());
        assertThat(crail("fs", "-stat", "%u %a", "/h").ok().lines()).containsExactly(USER + " 644");
    }

    @Test
    void shouldKeepTheLifetimeOfACopyWhenTold() {
        crail("fs", "-mkdir", "/job", "/tmp").ok();
        crail("fs", "-expire", "-each", "1h", "/job").ok();
        crail("fs", "-expire", "-each", "30min", "/tmp").ok();
        put("/job/f", "text");
        crail("fs", "-expire", "2h", "/job").ok();
        put("/stays", "text");

        crail("fs", "-cp", "-p", "/job", "/copy").ok();
        crail("fs", "-cp", "-p", "/stays", "/tmp/stays").ok();
        crail("fs", "-cp", "/job/f", "/tmp/goes").ok();

        assertThat(crail("fs", "-stat", "%n %e %t", "/copy").ok().out()).matches("copy (1 h 59|2 h 0) min 1 h 0 min\n");
        assertThat(crail("fs", "-stat", "%t", "/copy/f", "/tmp/stays", "/tmp/goes")
                        .ok()
                        .lines())
                .containsExactly("1 h 0 min", "-", "30 min 0 s");
    }

    @Test
    void shouldShowTheSpaceOfTheStore() {
        CommandRun run = crail("fs", "-df", "-h").ok();

        assertThat(run.lines()).hasSize(2);
        assertThat(run.lines().get(0)).matches("Filesystem +Size +Used +Available +Use%");
        assertThat(run.lines().get(1)).matches("crail://\\S+ +64 MiB .* \\d+%");
        assertThat(crail("fs", "-df").ok().out()).contains(" 67108864 ");
    }

    @Test
    void shouldShowTheSpaceThatSmallFilesHold() {
        crail("fs", "-mkdir", "/new").ok(); // where no long file lets expect another one
        put("/new/small", "text");

        String[] columns = crail("fs", "-du", "/new/small").ok().lines().get(0).split(" +", -1);

        assertThat(columns[0]).isEqualTo("4");
        assertThat(Long.parseLong(columns[1])).isBetween(4096L, 65_535L);
    }

    @Test
    void shouldShowItsOwnPartOfASharedBlockForEachSmallFile() {
        crail("fs", "-mkdir", "/new").ok();
        for (int i = 0; i < 3; i++) {
            put("/new/small" + i, "text");
        }

        assertThat(crail("fs", "-du", "-s", "/new").ok().out()).matches("12 +12288 +/new\\R");
    }

    @Test
    void shouldCountNodesAndBytes() {
        crail("fs", "-mkdir", "-p", "/a/b").ok();
        put("/a/f", "text");
        put("/a/b/f", "more");

        assertThat(crail("fs", "-count", "/a", "/a/f").ok().lines())
                .containsExactly(
                        "           2            2                  8 /a",
                        "           0            1                  4 /a/f");
        assertThat(crail("fs", "-count", "-v", "/a").ok().lines().get(0)).contains("DIR_COUNT", "PATHNAME");
    }

    @ParameterizedTest
    @CsvSource({
        "-e, /d, 0",
        "-e, /none, 1",
        "-d, /d, 0",
        "-d, /full, 1",
        "-f, /full, 0",
        "-f, /d, 1",
        "-s, /full, 0",
        "-s, /empty, 1",
        "-z, /empty, 0",
        "-z, /full, 1",
        "-z, /none, 1"
    })
    void shouldTest(String flag, String path, int exitCode) {
        crail("fs", "-mkdir", "/d").ok();
        crail("fs", "-touchz", "/empty").ok();
        put("/full", "text");

        CommandRun run = crail("fs", "-test", flag, path);

        assertThat(run.exitCode()).isEqualTo(exitCode);
        assertThat(run.out() + run.err()).isEmpty();
    }

    @Test
    void shouldTestOneThingOnly() {
        assertThat(crail("fs", "-test", "/d").exitCode()).isEqualTo(2);
        assertThat(crail("fs", "-test", "-e", "-d", "/d").exitCode()).isEqualTo(2);
    }

    @Test
    void shouldSetPermissionsOwnersAndGroups() {
        crail("fs", "-mkdir", "-p", "/d/e").ok();
        put("/d/f", "text");

        crail("fs", "-chmod", "-R", "u=rwX,g+w,o-r", "/d").ok();
        crail("fs", "-chown", "-R", "alice", "/d").ok();
        crail("fs", "-chown", ":staff", "/d").ok();
        crail("fs", "-chgrp", "users", "/d/f").ok();

        assertThat(crail("fs", "-stat", "%a %u %g", "/d", "/d/e", "/d/f").ok().lines())
                .containsExactly("771 alice staff", "771 alice crail", "660 alice users");
        assertThat(crail("fs", "-chmod", "99", "/d").err())
                .startsWith("crail fs chmod: MODE \"99\" is neither octal, as 750, nor like u+rwx");
        assertThat(crail("fs", "-chown", ":", "/d").exitCode()).isEqualTo(2);
        assertThat(crail("fs", "-chmod", "600", "/none").exitCode()).isEqualTo(1);
    }

    @Test
    void shouldAppend(@TempDir Path local) throws Exception {
        String file = Files.writeString(local.resolve("f"), "one,").toString();

        crail("fs", "-appendToFile", file, "/f").ok();
        crailWithInput("three".getBytes(UTF_8), "fs", "-appendToFile", file, "-", "/f")
                .ok();
        CommandRun none =
                crail("fs", "-appendToFile", file, local.resolve("none").toString(), "/f");

        assertThat(cat("/f")).isEqualTo("one,one,three");
        assertThat(none.exitCode()).isEqualTo(1);
        assertThat(none.err()).contains("none does not exist").hasLineCount(1);
    }

    @Test
    void shouldDeleteEmptyDirectoriesOnly() {
        crail("fs", "-mkdir", "-p", "/d/e").ok();

        CommandRun run = crail("fs", "-rmdir", "/d");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("/d").hasLineCount(1);
        crail("fs", "-rmdir", "--ignore-fail-on-non-empty", "/d").ok();
        crail("fs", "-rmdir", "/d/e", "/d").ok();
        put("/f", "text");
        assertThat(crail("fs", "-rmdir", "/f").err()).contains("/f is a file and no directory; use -rm");
    }

    @Test
    void shouldShowTheHead() {
        put("/f", "x".repeat(1024) + "y".repeat(100_000));

        assertThat(crail("fs", "-head", "/f").ok().out()).isEqualTo("x".repeat(1024));
        put("/g", "short");
        assertThat(crail("fs", "-head", "/g").ok().out()).isEqualTo("short");
    }

    @Test
    void shouldFind() {
        crail("fs", "-mkdir", "-p", "/a/log").ok();
        crail("fs", "-touchz", "/a/x.LOG", "/a/log/y.log", "/z.log").ok();

        assertThat(crail("fs", "-find", "/a").ok().lines()).containsExactly("/a", "/a/log", "/a/log/y.log", "/a/x.LOG");
        assertThat(crail("fs", "-find", "/", "-name", "*.log", "-print").ok().lines())
                .containsExactly("/a/log/y.log", "/z.log");
        assertThat(crail("fs", "-find", "/a", "-iname", "*log", "-and", "-name", "{x,y}*")
                        .ok()
                        .lines())
                .containsExactly("/a/log/y.log", "/a/x.LOG");
        assertThat(crail("fs", "-find", "/", "-name", "z*", "-print0").ok().out())
                .isEqualTo("/z.log\0");
        assertThat(crail("fs", "-find", "/none").exitCode()).isEqualTo(1);
    }

    @Test
    void shouldFetchSeveralFilesAsOne(@TempDir Path local) {
        crail("fs", "-mkdir", "-p", "/d/below").ok();
        put("/d/1", "a");
        put("/d/2", "b");
        crail("fs", "-touchz", "/d/3").ok();
        Path merged = local.resolve("merged");

        crail("fs", "-getmerge", "/d", merged.toString()).ok();
        assertThat(merged).hasContent("ab");
        crail("fs", "-getmerge", "-nl", "-skip-empty-file", "/d/*[0-9]", merged.toString())
                .ok();
        assertThat(merged).hasContent("a\nb\n");
        assertThat(crail("fs", "-getmerge", "/none", merged.toString()).exitCode())
                .isEqualTo(1);
        assertThat(local.toFile().list()).containsExactly("merged");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.crail.CrailPath;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.rpc.message.ChangeRequest;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FsCommandTest extends ClusterTest {
    private static final int SEVERAL_BLOCKS = 300_001;
    private static final String USER = System.getProperty("user.name");

    @TempDir
    private Path local;

    private byte[] bytes;
    private Path file;

    @BeforeEach
    void writeLocalFile() throws Exception {
        bytes = new byte[SEVERAL_BLOCKS];
        new Random(1).nextBytes(bytes);
        file = Files.write(local.resolve("file"), bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"put", "-put", "copyFromLocal", "-copyFromLocal"})
    void shouldStoreAFileUnderEachName(String command) {
        crail("fs", command, file.toString(), "/f").ok();

        assertThat(crail("fs", "-cat", "/f").ok().outBytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "-get", "copyToLocal", "-copyToLocal"})
    void shouldFetchAFileUnderEachName(String command) throws Exception {
        crail("fs", "-put", file.toString(), "/f").ok();

        crail("fs", command, "/f", local.resolve("back").toString()).ok();

        assertThat(local.resolve("back")).hasBinaryContent(bytes);
        assertThat(local.toFile().list()).containsExactlyInAnyOrder("file", "back");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls", "mkdir", "cat", "tail", "rm", "mv", "stat", "du", "touchz"})
    void shouldTakeEachCommandWithAndWithoutDash(String command) {
        CommandRun plain = crail("fs", command, "--help");
        CommandRun dashed = crail("fs", "-" + command, "--help");

        assertThat(plain.exitCode()).isZero();
        assertThat(dashed).usingRecursiveComparison().isEqualTo(plain);
    }

    @Test
    void shouldCopyATreeThereAndBack() throws Exception {
        Path tree = Files.createDirectories(local.resolve("tree/empty/ünicode"))
                .getParent()
                .getParent();
        Files.write(tree.resolve("one"), bytes);
        Files.createFile(tree.resolve("nothing"));
        for (int i = 0; i < 40; i++) {
            Files.writeString(tree.resolve("empty/ünicode/" + i), "number " + i);
        }

        crail("fs", "-put", tree.toString(), "/").ok();
        crail("fs", "-get", "-t", "3", "/tree", local.resolve("back").toString())
                .ok();

        assertThat(local.resolve("back/one")).hasBinaryContent(bytes);
        assertThat(local.resolve("back/nothing")).isEmptyFile();
        for (int i = 0; i < 40; i++) {
            assertThat(local.resolve("back/empty/ünicode/" + i)).hasContent("number " + i);
        }
    }

    @Test
    void shouldCopyIntoDirectories() {
        crail("fs", "-mkdir", "/d").ok();

        crail("fs", "-put", file.toString(), "/d").ok();
        crail("fs", "-get", "/d/file", makeDirectory("in").toString()).ok();

        assertThat(local.resolve("in/file")).hasBinaryContent(bytes);
    }

    private Path makeDirectory(String name) {
        Path directory = local.resolve(name);
        assertThat(directory.toFile().mkdir()).isTrue();
        return directory;
    }

    @Test
    void shouldCopyFromStandardInputAndToStandardOutput() {
        crailWithInput(bytes, "fs", "-put", "-", "/in").ok();

        assertThat(crail("fs", "-get", "/in", "-").ok().outBytes()).isEqualTo(bytes);
    }

    @Test
    void shouldKeepWhatExistsUnlessToldToReplaceIt() throws Exception {
        crailWithInput("old".getBytes(UTF_8), "fs", "-put", "-", "/f").ok();
        Path back = Files.writeString(local.resolve("back"), "local");

        CommandRun put = crail("fs", "-put", file.toString(), "/f");
        CommandRun get = crail("fs", "-get", "/f", back.toString());

        assertThat(put.exitCode()).isEqualTo(1);
        assertThat(put.err()).contains("/f").doesNotContain("\tat ").hasLineCount(1);
        assertThat(get.exitCode()).isEqualTo(1);
        assertThat(get.err()).contains("back").contains("-f").hasLineCount(1);
        assertThat(crail("fs", "-cat", "/f").ok().out()).isEqualTo("old");
        assertThat(back).hasContent("local");

        crail("fs", "-put", "-f", file.toString(), "/f").ok();
        crail("fs", "-get", "-f", "/f", back.toString()).ok();
        assertThat(back).hasBinaryContent(bytes);
        assertThat(crail("fs", "-ls", "-C", "/").ok().lines()).containsExactly("/f");
    }

    @Test
    @SuppressWarnings("try") // the cluster's close declares Exception
    void shouldLeaveNothingBehindWhenTheStoreIsFull() throws Exception {
        try (MiniCluster small =
                MiniCluster.builder(ClusterKind.SOCKETS).blocksPerDatanode(3).start()) {
            CrailConfiguration conf = small.configuration();

            CommandRun put = CommandRun.of(conf, "fs", "-put", file.toString(), "/large");

            assertThat(put.exitCode()).isEqualTo(1);
            assertThat(put.err()).hasLineCount(1);
            assertThat(CommandRun.of(conf, "fs", "-ls", "/").ok().out()).isEmpty();
            assertThat(small.checkBlocks().allocated()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void shouldStoreTheOthersWhenOneFileIsMissing() {
        crail("fs", "-mkdir", "/d").ok();

        CommandRun put = crail("fs", "-put", local.resolve("absent").toString(), file.toString(), "/d");

        assertThat(put.exitCode()).isEqualTo(1);
        assertThat(put.err()).contains("absent").contains("does not exist").hasLineCount(1);
        assertThat(crail("fs", "-ls", "-C", "/d").ok().lines()).containsExactly("/d/file");
    }

    @Test
    void shouldCopyTheRestOfATreeWhenOneEntryCannotBeRead() throws Exception {
        Path tree = Files.createDirectories(local.resolve("tree"));
        Files.createSymbolicLink(tree.resolve("broken"), local.resolve("absent"));
        Files.writeString(tree.resolve("sound"), "text");

        CommandRun put = crail("fs", "-put", tree.toString(), "/tree");

        assertThat(put.exitCode()).isEqualTo(1);
        assertThat(put.err()).contains("broken").hasLineCount(1);
        assertThat(crail("fs", "-ls", "-C", "/tree").ok().lines()).containsExactly("/tree/sound");
    }

    @Test
    void shouldFollowLinksButNotToADirectoryAbove() throws Exception {
        Path tree = Files.createDirectories(local.resolve("loop/a"));
        Files.writeString(tree.resolve("f"), "text");
        Files.createSymbolicLink(tree.resolve("l1"), Path.of("."));
        Files.createSymbolicLink(tree.resolve("l2"), Path.of(".."));
        Path other = Files.createDirectories(local.resolve("other"));
        Files.writeString(other.resolve("g"), "text");
        Files.createSymbolicLink(tree.resolve("l3"), other);
        Files.createSymbolicLink(tree.resolve("l4"), other);

        CommandRun put = crail("fs", "-put", local.resolve("loop").toString(), "/loop");

        assertThat(put.exitCode()).isEqualTo(1);
        assertThat(put.err())
                .contains("a/l1 is a link to a directory above it", "a/l2 is a link to a directory above it")
                .hasLineCount(2);
        assertThat(crail("fs", "-ls", "-R", "-C", "/loop").ok().lines())
                .containsExactlyInAnyOrder(
                        "/loop/a", "/loop/a/f", "/loop/a/l3", "/loop/a/l3/g", "/loop/a/l4", "/loop/a/l4/g");
    }

    @Test
    void shouldRefuseLocalNamesThatAreNoText() throws Exception {
        Path tree = makeDirectory("latin1");
        Process made = new ProcessBuilder(
                        "sh", "-c", "for n in 351 350; do echo $n > \"$(printf \"caf\\\\$n\")\"; done; echo x > sound")
                .directory(tree.toFile())
                .start();
        assertThat(made.waitFor()).isZero();

        CommandRun put = crail("fs", "-put", "-f", tree.toString(), "/latin1");

        assertThat(put.exitCode()).isEqualTo(1);
        assertThat(put.err())
                .contains("is no text in the encoding of this locale")
                .hasLineCount(2);
        assertThat(crail("fs", "-ls", "-C", "/latin1").ok().lines()).containsExactly("/latin1/sound");
    }

    @Test
    void shouldPutKeyValuesIntoTables() {
        crail("fs", "-mkdir", "--type", "table", "/t").ok();

        crailWithInput("1".getBytes(UTF_8), "fs", "-put", "-", "/t/key").ok();
        crailWithInput("2".getBytes(UTF_8), "fs", "-put", "-", "/t/key").ok();

        assertThat(crail("fs", "-cat", "/t/key").ok().out()).isEqualTo("2");
        assertThat(crail("fs", "-stat", "%F", "/t/key").ok().lines()).containsExactly("keyvalue");
    }

    @Test
    void shouldCatTheFilesOfAMultifile() {
        crail("fs", "-mkdir", "--type", "multifile", "/m").ok();
        crailWithInput("a".getBytes(UTF_8), "fs", "-put", "-", "/m/1").ok();
        crailWithInput("b".getBytes(UTF_8), "fs", "-put", "-", "/m/2").ok();

        assertThat(crail("fs", "-cat", "/m").ok().out()).isEqualTo("ab");
    }

    @Test
    void shouldListInTheColumnsOfHadoop() {
        crail("fs", "-mkdir", "-p", "/a/b").ok();
        crail("fs", "-put", file.toString(), "/a/f").ok();

        assertThat(crail("fs", "-ls", "/a").ok().lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("Found 2 items"),
                        line -> assertThat(line).matches("drwxr-xr-x +- " + USER + " crail +0 \\S+ \\S+ /a/b"),
                        line -> assertThat(line).matches("-rw-r--r-- +1 " + USER + " crail +300001 \\S+ \\S+ /a/f"));
        assertThat(crail("fs", "-ls", "-R", "-C", "/").ok().lines()).containsExactly("/a", "/a/b", "/a/f");
        assertThat(crail("fs", "-ls", "-d", "/a").ok().lines()).hasSize(1);
        assertThat(crail("fs", "-ls", "-h", "/a/f").ok().out()).contains("293.0 KiB");
    }

    @Test
    void shouldShowOwnersAndPermissions() throws Exception {
        crail("fs", "-mkdir", "/hers").ok();
        cluster()
                .call(new ChangeRequest(
                        CrailPath.parse("/hers"),
                        new StatusChange("alice", "staff", 01750, StatusChange.KEEP_TIME, StatusChange.KEEP_TIME)));

        assertThat(crail("fs", "-ls", "/").ok().out()).contains("drwxr-x--T   - alice staff");
        assertThat(crail("fs", "-stat", "%u:%g %a %A", "/hers").ok().lines())
                .containsExactly("alice:staff 1750 rwxr-x--T");
    }

    @Test
    void shouldMakeDirectoriesWithParentsOnlyWhenTold() {
        CommandRun run = crail("fs", "-mkdir", "/x/y");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("/x").hasLineCount(1);
        crail("fs", "-mkdir", "-p", "/x/y").ok();
        crail("fs", "-mkdir", "-p", "/x/y").ok();
        assertThat(crail("fs", "-mkdir", "/x/y").exitCode()).isEqualTo(1);
    }

    @Test
    void shouldDeleteDirectoriesOnlyRecursively() {
        crail("fs", "-mkdir", "-p", "/x/y").ok();

        CommandRun plain = crail("fs", "-rm", "/x");

        assertThat(plain.exitCode()).isEqualTo(1);
        assertThat(plain.err()).contains("-rm -r").hasLineCount(1);
        assertThat(crail("fs", "-rm", "-r", "/x").ok().out()).contains("Deleted /x");
        assertThat(crail("fs", "-rm", "/x").exitCode()).isEqualTo(1);
        crail("fs", "-rm", "-f", "/x").ok();
    }

    @Test
    void shouldMoveAndSayWhyNot() {
        crail("fs", "-touchz", "/a", "/b").ok();
        crail("fs", "-mkdir", "/d").ok();

        assertThat(crail("fs", "-mv", "/none", "/c").err()).contains("no node has the path /none");
        assertThat(crail("fs", "-mv", "/a", "/b").err()).contains("cannot move /a to /b: a node has this path");
        assertThat(crail("fs", "-mv", "/a", "/none/c").err()).contains("the parent of /none/c does not exist");
        crail("fs", "-mv", "/a", "/c").ok();
        crail("fs", "-mv", "/b", "/c", "/d").ok();

        assertThat(crail("fs", "-ls", "-R", "-C", "/").ok().lines()).containsExactly("/d", "/d/b", "/d/c");
    }

    @Test
    void shouldShowProperties() {
        crail("fs", "-put", file.toString(), "/f").ok();

        assertThat(crail("fs", "-stat", "%n %b %F %o %r %u %%", "/f").ok().lines())
                .containsExactly("f 300001 file 65536 1 " + USER + " %");
        assertThat(crail("fs", "-stat", "/f").ok().out()).startsWith("f: file, 300001 bytes");
        assertThat(crail("fs", "-stat", "/g").exitCode()).isEqualTo(1);
        assertThat(crail("fs", "-stat", "%b").err()).contains("PATH is missing");
        assertThat(crail("fs", "-stat", "%s", "/f").err()).contains("%s is no property; use %a, %A, %b");
    }

    @Test
    void shouldAddUpTrees() {
        crail("fs", "-mkdir", "-p", "/a/b").ok();
        crail("fs", "-put", file.toString(), "/a/f").ok();
        crail("fs", "-put", file.toString(), "/a/b/f").ok();

        assertThat(crail("fs", "-du", "-s", "/a").ok().out()).matches("600002 +655360 +/a\\R");
        assertThat(crail("fs", "-du", "/a").ok().lines())
                .satisfiesExactly(line -> assertThat(line).matches("300001 +327680 +/a/b"), line -> assertThat(line)
                        .matches("300001 +327680 +/a/f"));
    }

    @Test
    void shouldShowTheTail() {
        crail("fs", "-put", file.toString(), "/f").ok();

        byte[] tail = crail("fs", "-tail", "/f").ok().outBytes();

        assertThat(tail).hasSize(1024);
        assertThat(tail).endsWith(bytes[SEVERAL_BLOCKS - 1]).startsWith(bytes[SEVERAL_BLOCKS - 1024]);
        assertThat(crail("fs", "-tail", "-c", "2", "/f").ok().outBytes()).hasSize(2);
    }

    @Test
    void shouldTouchEmptyFilesOnly() {
        crail("fs", "-touchz", "/e").ok();
        crail("fs", "-touchz", "/e").ok();
        crail("fs", "-put", file.toString(), "/f").ok();

        assertThat(crail("fs", "-touchz", "/f").exitCode()).isEqualTo(1);
    }

    @Test
    void shouldTakeNoBlocksForEmptyFiles() throws Exception {
        long before = cluster().checkBlocks().allocated();
        crail("fs", "-touchz", "/first", "/second", "/third").ok();
        assertThat(cluster().checkBlocks().allocated()).isEqualTo(before);
    }

    @Test
    void shouldTakeUris() {
        String address = cluster().configuration().get("crail.namenode.address");

        crail("fs", "-mkdir", address + "/u", "crail:///v").ok();

        assertThat(crail("fs", "-ls", "-C", address).ok().lines()).containsExactly("/u", "/v");
    }

    @Test
    void shouldRefuseOtherSchemes() {
        CommandRun run = crail("fs", "-ls", "hdfs://localhost:9060/");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("crail fs ls: hdfs://localhost:9060/ is no crail:// path;")
                .hasLineCount(1);
        assertThat(crail("fs", "-ls", "crail://host:port/").err()).contains("host:port, which is no host:port");
    }

    @Test
    void shouldRefuseMalformedPathsInOneLine() {
        CommandRun run = crail("fs", "-cat", "/a/../b");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("crail fs cat: ").contains("..").hasLineCount(1);
    }

    @Test
    void shouldShowTheStackOnlyWhenTold() {
        assertThat(crail("fs", "-cat", "/none").err()).doesNotContain("\tat ");
        assertThat(crail("fs", "-v", "-cat", "/none").err()).contains("\tat ");
        assertThat(crail("-D", "crail.debug=true", "fs", "-cat", "/none").err()).contains("\tat ");
    }
}

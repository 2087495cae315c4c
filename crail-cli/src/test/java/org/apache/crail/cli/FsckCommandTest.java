/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.Test;

class FsckCommandTest extends ClusterTest {
    private static final int BLOCK = 65_536;

    @Test
    void shouldShowLocations() {
        crail("iobench", "-t", "write", "-f", "/f", "-s", "65536", "-k", "3").ok();

        CommandRun all = crail("fsck", "-t", "getLocations", "-f", "/f", "-y", "0", "-l", "196608")
                .ok();
        CommandRun one =
                crail("fsck", "-t", "getLocations", "-f", "/f", "-y", "70000").ok();

        assertThat(all.lines()).hasSize(4);
        assertThat(one.lines()).hasSize(2);
        assertThat(one.lines().get(1)).startsWith("65536 ").contains("/default-rack/");
        assertThat(crail("fsck", "-t", "getLocations", "-f", "/none").exitCode())
                .isEqualTo(1);
    }

    @Test
    void shouldDumpDirectories() {
        crail("iobench", "-t", "createFile", "-f", "/d", "-k", "2").ok();
        crail("iobench", "-t", "early", "-f", "/d/hidden", "-d", "true", "-s", "10")
                .ok();

        CommandRun run = crail("fsck", "-t", "directoryDump", "-f", "/d").ok();
        CommandRun hidden =
                crail("fsck", "-t", "directoryDump", "-f", "/d/hidden").ok();

        assertThat(run.lines()).hasSize(4);
        assertThat(run.out()).containsPattern("1 +yes +\\d+ +DATAFILE");
        assertThat(hidden.out()).containsPattern("0 +never +\\d+ +DATAFILE +10");
        assertThat(crail("fsck", "-t", "directoryDump", "-f", "/d/0").exitCode())
                .isEqualTo(1);
    }

    @Test
    void shouldDumpTheNamenode() {
        crail("fs", "-mkdir", "-p", "/a/b/c").ok();

        assertThat(crail("fsck", "-t", "namenodeDump").ok().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("PATH"),
                        line -> assertThat(line).startsWith("/a "),
                        line -> assertThat(line).startsWith("/a/b "),
                        line -> assertThat(line).startsWith("/a/b/c "));
    }

    @Test
    void shouldCountBlocksByDatanode() {
        crail("fs", "-mkdir", "-p", "/a/b").ok();
        crail("iobench", "-t", "write", "-f", "/a/b/f", "-s", "65536", "-k", "4")
                .ok();

        crail("iobench", "-t", "early", "-f", "/a/hidden", "-d", "true", "-s", "10")
                .ok();

        CommandRun run = crail("fsck", "-t", "blockStatistics", "-f", "/a").ok();

        assertThat(run.lines()).hasSize(4);
        assertThat(run.lines().get(3)).matches("all +5");
    }

    @Test
    void shouldPing() {
        assertThat(crail("fsck", "-t", "ping").ok().out()).contains("is alive");
    }

    @Test
    void shouldCreateDirectories() {
        crail("fsck", "-t", "createDirectory", "-f", "/d", "-c", "0", "-p", "0").ok();

        assertThat(crail("fs", "-stat", "%F", "/d").ok().lines()).containsExactly("directory");
        assertThat(crail("fsck", "-t", "createDirectory", "-f", "/d").exitCode())
                .isEqualTo(1);
    }

    @Test
    void shouldCheckBlocks() {
        assertThat(crail("fsck", "-t", "blocks").ok().out()).contains(": 1 node; 1024 blocks registered");
        crail("iobench", "-t", "write", "-f", "/f", "-s", "65536", "-k", "3").ok();

        CommandRun run = crail("fsck", "-t", "blocks").ok();

        assertThat(run.out()).contains(": 2 nodes; 1024 blocks registered").contains("every block is accounted for");
    }

    @Test
    @SuppressWarnings("try") // the cluster's close declares Exception
    void shouldFailWhenBlocksAreLost() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS)
                .datanodes(1)
                .blocksPerDatanode(16)
                .start()) {
            CommandRun.of(cluster.configuration(), new byte[100_000], "fs", "-put", "-", "/f")
                    .ok();
            cluster.stopDatanode(0);
            cluster.restartDatanode(0);

            CommandRun run = CommandRun.of(cluster.configuration(), "fsck", "-t", "blocks");

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.out() + run.err()).contains("lost: their datanodes came back without them");
        }
    }

    @Test
    @SuppressWarnings("try") // the cluster's close declares Exception
    void shouldListAndDeleteFilesWithLostBlocks() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS)
                .datanodes(2)
                .blocksPerDatanode(64)
                .with("crail.storage.keepalive", "25ms")
                .start()) {
            CrailConfiguration conf = cluster.configuration();
            CommandRun.of(conf, "fs", "-mkdir", "/d").ok();
            CommandRun.of(conf, new byte[4 * BLOCK + 1], "fs", "-put", "-", "/d/long")
                    .ok();
            CommandRun.of(conf, "fs", "-touchz", "/d/empty").ok();
            CommandRun none = CommandRun.of(conf, "fsck", "-t", "lostFiles").ok();
            cluster.stopDatanode(0);
            Await.until(
                    "it has stopped", () -> CommandRun.of(conf, "report").out().contains("1 stopped"));

            CommandRun stopped = CommandRun.of(conf, "fsck", "-t", "lostFiles", "--delete");
            cluster.restartDatanode(0);
            CommandRun listed = CommandRun.of(conf, "fsck", "-t", "lostFiles", "-f", "/d");
            CommandRun deleted = CommandRun.of(conf, "fsck", "-t", "lostFiles", "--delete");

            assertThat(none.out()).isEqualTo("0 of 2 files have lost blocks, 0 B\n");
            assertThat(stopped.exitCode()).isEqualTo(1);
            assertThat(stopped.err()).contains("has stopped, and blocks that it holds may come back");
            assertThat(listed.exitCode()).isEqualTo(1);
            assertThat(listed.lines().get(1)).matches("\\d+ +" + (4 * BLOCK + 1) + " +/d/long");
            assertThat(listed.lines()).last().asString().startsWith("1 of 2 files have lost blocks, ");
            assertThat(deleted.ok().lines()).contains("Deleted /d/long");
            assertThat(CommandRun.of(conf, "fs", "-ls", "-C", "/d").ok().lines())
                    .containsExactly("/d/empty");
            CommandRun.of(conf, "fsck", "-t", "lostFiles").ok();
        }
    }

    @Test
    void shouldDeleteLostFilesOnly() {
        CommandRun run = crail("fsck", "-t", "blocks", "--delete");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--delete goes with -t lostFiles only");
        assertThat(crail("fsck", "-t", "lostFiles", "-f", "/none").err()).contains("no node has the path /none");
    }

    @Test
    void shouldRefuseUnknownTypes() {
        CommandRun run = crail("fsck", "-t", "block");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("did you mean blocks?").hasLineCount(1);
    }
}

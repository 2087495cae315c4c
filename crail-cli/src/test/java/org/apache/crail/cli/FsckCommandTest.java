/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.Test;

class FsckCommandTest extends ClusterTest {
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
        assertThat(hidden.out()).containsPattern("0 +never +\\d+ +DATAFILE +10 +-1");
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
        crail("iobench", "-t", "write", "-f", "/f", "-s", "65536", "-k", "3").ok();

        CommandRun run = crail("fsck", "-t", "blocks").ok();

        assertThat(run.out()).contains("1024 blocks registered").contains("every block is accounted for");
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

    /** D18: there is a tool that finds and writes records that are missing. */
    @Test
    void shouldRepairWholeTrees() throws Exception {
        crail("fs", "-mkdir", "-p", "/a/b").ok();
        createWithoutRecord("/a/b/c");

        assertThat(crail("fsck", "-t", "repair").ok().lines())
                .containsExactly(
                        "/: 1 children, 1 to be listed, 0 records damaged, 0 repaired",
                        "/a: 1 children, 1 to be listed, 0 records damaged, 0 repaired",
                        "/a/b: 1 children, 1 to be listed, 1 records damaged, 1 repaired",
                        "  /a/b/c",
                        "/a/b/c: 0 children, 0 to be listed, 0 records damaged, 0 repaired");
        assertThat(crail("fsck", "-t", "repair", "-f", "/a/b").ok().out()).contains("0 records damaged");
    }

    /** As a client that ends between its call to the namenode and its write. */
    private static void createWithoutRecord(String path) throws Exception {
        cluster().call(new CreateRequest(CrailPath.parse(path), CrailNodeType.DIRECTORY, -1, -1, true));
    }

    @Test
    void shouldRefuseUnknownTypes() {
        CommandRun run = crail("fsck", "-t", "block");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("did you mean blocks?").hasLineCount(1);
    }
}

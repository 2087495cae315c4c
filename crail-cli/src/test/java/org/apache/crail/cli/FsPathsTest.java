/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Paths as users write them: patterns, escapes, addresses. */
class FsPathsTest extends ClusterTest {
    @BeforeEach
    void makeTree() {
        crail("fs", "-mkdir", "/d1", "/d2", "/e").ok();
        crail("fs", "-touchz", "/d1/a", "/d1/b", "/d2/a", "/d2/.hidden", "/e/a").ok();
    }

    @Test
    void shouldExpandPatternsInEachComponent() {
        assertThat(crail("fs", "-ls", "-C", "/d*/a").ok().lines()).containsExactly("/d1/a", "/d2/a");
        assertThat(crail("fs", "-ls", "-C", "/?2/*").ok().lines()).containsExactly("/d2/.hidden", "/d2/a");
        assertThat(crail("fs", "-ls", "-d", "-C", "/[^d]*").ok().lines()).containsExactly("/e");
        assertThat(crail("fs", "-ls", "-C", "/{d1/b,e/a,none}").ok().lines()).containsExactly("/d1/b", "/e/a");
    }

    @Test
    void shouldPassFilesWhereAPatternNeedsDirectories() {
        crail("fs", "-touchz", "/file").ok();

        assertThat(crail("fs", "-ls", "-C", "/*/b", "/*/a*").ok().lines())
                .containsExactly("/d1/b", "/d1/a", "/d2/a", "/e/a");
    }

    @Test
    void shouldExpandPatternsInEachCommand(@TempDir Path local) {
        assertThat(crail("fs", "-stat", "%n", "/d1/*").ok().lines()).containsExactly("a", "b");
        assertThat(crail("fs", "-du", "-s", "/d?").ok().lines()).hasSize(2);
        crail("fs", "-get", "/d1/*", local.toString()).ok();
        assertThat(local.toFile().list()).containsExactlyInAnyOrder("a", "b");
        crail("fs", "-cat", "/d*/a").ok();
        assertThat(crail("fs", "-rm", "-r", "/d*").ok().lines()).containsExactly("Deleted /d1", "Deleted /d2");
    }

    @Test
    void shouldFailWhenNothingMatches() {
        CommandRun run = crail("fs", "-ls", "-C", "/none*", "/e");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("crail fs ls: no path matches /none*; ")
                .hasLineCount(1);
        assertThat(run.lines()).containsExactly("/e/a");
        assertThat(crail("fs", "-rm", "/d1/x*").exitCode()).isEqualTo(1);
        crail("fs", "-rm", "-f", "/d1/x*").ok();
    }

    @Test
    void shouldTakeEscapedCharactersLiterally() {
        crail("fs", "-touchz", "/e/a\\*", "/e/ab", "/e/\\[x]", "/e/back\\\\slash")
                .ok();

        assertThat(crail("fs", "-ls", "-C", "/e/a\\*").ok().lines()).containsExactly("/e/a*");
        assertThat(crail("fs", "-ls", "-C", "/e/a*").ok().lines()).containsExactly("/e/a", "/e/a*", "/e/ab");
        assertThat(crail("fs", "-ls", "-C", "/e/\\[x]").ok().lines()).containsExactly("/e/[x]");
        assertThat(crail("fs", "-ls", "-C", "/e/b*").ok().lines()).containsExactly("/e/back\\slash");
    }

    @Test
    void shouldTakeATargetThatMatchesOnePathOnly(@TempDir Path local) throws Exception {
        String file = Files.writeString(local.resolve("f"), "text").toString();

        crail("fs", "-put", file, "/e*").ok();
        CommandRun run = crail("fs", "-put", file, "/d*");

        assertThat(crail("fs", "-cat", "/e/f").ok().out()).isEqualTo("text");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("/d* matches 2 paths, /d1 and /d2 among them")
                .hasLineCount(1);
    }

    @Test
    @SuppressWarnings("try") // the cluster's close declares Exception
    void shouldWorkOnTheNamenodeOfAnAddress() throws Exception {
        try (MiniCluster other = MiniCluster.builder(ClusterKind.SOCKETS).start()) {
            String address = other.configuration().get("crail.namenode.address");
            crail("fs", "-mkdir", address + "/o").ok();
            crailWithInput("text".getBytes(UTF_8), "fs", "-put", "-", address + "/o/f")
                    .ok();

            assertThat(crail("fs", "-ls", "-C", address + "/o/*", "/e").ok().lines())
                    .containsExactly(address + "/o/f", "/e/a");
            crail("fs", "-cp", address + "/o", "/e").ok();
            assertThat(crail("fs", "-cat", "/e/o/f").ok().out()).isEqualTo("text");
            CommandRun move = crail("fs", "-mv", "/e/a", address + "/o");
            assertThat(move.exitCode()).isEqualTo(1);
            assertThat(move.err()).contains("is in another store than " + address + "/o; use -cp");
        }
    }

    @Test
    void shouldSayOnceThatANamenodeCannotBeReached() {
        CommandRun run = crail("-D", "crail.connecttimeout=300ms", "fs", "-ls", "crail://localhost:1/a", "/e");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("crail fs ls: namenode localhost:1 cannot be reached")
                .hasLineCount(1);
    }
}

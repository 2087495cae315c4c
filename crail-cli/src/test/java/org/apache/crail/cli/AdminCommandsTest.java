/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminCommandsTest extends ClusterTest {
    @Test
    void shouldReportForPeople() {
        CommandRun run = crail("report").ok();

        assertThat(run.out())
                .contains("datanodes: 2 live, 0 silent; capacity 64 MiB")
                .contains("CLASS", "HEARTBEAT");
    }

    @Test
    @SuppressWarnings("try") // the cluster's close declares Exception
    void shouldCountOnlyWhatLiveDatanodesOffer() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS)
                .datanodes(2)
                .blocksPerDatanode(16)
                .with("crail.storage.keepalive", "25ms")
                .start()) {
            cluster.stopDatanode(0);

            Await.until("only the capacity of the live datanode counts", () -> CommandRun.of(
                            cluster.configuration(), "report")
                    .ok()
                    .out()
                    .contains("datanodes: 1 live, 0 silent, 1 stopped; capacity 1 MiB,"));
            assertThat(states(cluster)).containsExactlyInAnyOrder("live", "stopped");
            cluster.killDatanode(1);
            Await.until("the other one is silent", () -> states(cluster).contains("silent"));
        }
    }

    private static List<String> states(MiniCluster cluster) throws Exception {
        String text =
                CommandRun.of(cluster.configuration(), "report", "--json").ok().out();
        return new ObjectMapper().readTree(text).findValuesAsText("state");
    }

    @Test
    void shouldReportForPrograms() throws Exception {
        crail("iobench", "-t", "write", "-f", "/f", "-s", "65536", "-k", "3", "-w", "0")
                .ok();

        JsonNode report = new ObjectMapper()
                .readTree(crail("report", "--json").ok().out())
                .get("namenodes")
                .get(0);

        assertThat(report.get("blockSizeBytes").asInt()).isEqualTo(65_536);
        assertThat(report.get("datanodes")).hasSize(2).allSatisfy(datanode -> {
            assertThat(datanode.get("live").asBoolean()).isTrue();
            assertThat(datanode.get("state").asText()).isEqualTo("live");
            assertThat(datanode.get("storageClass").asInt()).isZero();
            assertThat(datanode.get("lastHeartbeatMs").isNumber()).isTrue();
        });
        JsonNode space = report.get("space");
        assertThat(space.get("capacityBytes").asLong()).isEqualTo(64L << 20);
        assertThat(space.get("usedBytes").asLong()).isGreaterThanOrEqualTo(3 * 65_536);
        assertThat(report.get("classes").get(0).get("datanodes").asInt()).isEqualTo(2);
    }

    @Test
    void shouldPing() {
        assertThat(crail("ping", "-c", "2").ok().lines()).hasSize(2);
        assertThat(crail("ping", "-n", "3").ok().lines()).hasSize(3).allSatisfy(line -> assertThat(line)
                .contains("answered in"));
    }

    @Test
    void shouldSayWhichNamenodeDoesNotAnswer() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        String[] overrides = {
            "-D",
            "crail.namenode.address=crail://localhost:" + port,
            "-D",
            "crail.rpctimeout=300ms",
            "-D",
            "crail.connecttimeout=300ms"
        };

        for (String command : new String[] {"ping", "report"}) {
            CommandRun run =
                    crail(overrides[0], overrides[1], overrides[2], overrides[3], overrides[4], overrides[5], command);
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err())
                    .contains("localhost")
                    .contains(Integer.toString(port))
                    .hasLineCount(1);
        }
        String[] all = Stream.concat(Stream.of(overrides), Stream.of("-v", "fs", "-ls", "/"))
                .toArray(String[]::new);
        String[] parts = crail(all).err().split("\\R", 2);
        assertThat(parts[1]).containsOnlyOnce(parts[0].substring("crail fs ls: ".length()));
    }

    @Test
    void shouldShowEffectiveValues(@TempDir Path directory) throws Exception {
        assertThat(crail("getconf", "crail.buffersize").ok().lines()).containsExactly("64k");
        assertThat(crail("-D", "crail.user=me", "getconf", "crail.user").ok().lines())
                .containsExactly("me");
        assertThat(crail("getconf", "namenode").ok().lines()).hasSize(1);
        Path file = Files.writeString(directory.resolve("conf"), "crail.user = you\n");
        assertThat(crail("--conf", file.toString(), "getconf", "crail.user")
                        .ok()
                        .lines())
                .containsExactly("you");
        assertThat(crail("getconf").ok().out())
                .containsPattern("crail.buffersize +64k +program")
                .containsPattern("crail.cacheimpl +\\S+ +default");
    }

    @Test
    void shouldShowTheValuesOfSeveralKeys() {
        CommandRun run = crail("-D", "crail.user=me", "getconf", "crail.buffersize", "crail.user", "namenode")
                .ok();

        assertThat(run.lines()).hasSize(3).startsWith("64k", "me");
        assertThat(crail("getconf", "crail.user", "crail.none").exitCode()).isEqualTo(1);
    }

    @Test
    void shouldSuggestKeys() {
        CommandRun run = crail("getconf", "crail.bufersize");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("did you mean crail.buffersize?").hasLineCount(1);
        assertThat(crail("-D", "crail.bufersize=1k", "ping").err()).contains("did you mean crail.buffersize?");
    }

    @Test
    void shouldRefuseWrongValues() {
        CommandRun run = crail("-D", "crail.buffersize=lots", "fs", "-ls", "/");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("crail.buffersize").contains("lots").hasLineCount(1);
        assertThat(crail("--conf", "/nonexistent/conf", "ping").err())
                .contains("/nonexistent/conf")
                .hasLineCount(1);
    }

    @Test
    void shouldShowVersions() {
        assertThat(crail("version").ok().out()).contains("Crail ", "metadata protocol ", "Java ");
        assertThat(crail("version").out()).doesNotContain("$");
    }
}

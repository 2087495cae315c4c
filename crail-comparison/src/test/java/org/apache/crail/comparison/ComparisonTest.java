/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own, with as little work as possible: that everything works, not how fast it is. */
@Tag("counts")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ComparisonTest {
    private static final Set<String> OUR_WORK = Set.of(
            "lookup",
            "lookup-rate",
            "lookup-pipelined",
            "create-pipelined",
            "create-close",
            "read-1m",
            "write-1m",
            "get-256-1-thread",
            "get-256-8-threads",
            "get-256-64-threads",
            "get-256",
            "put-256",
            "get-1k",
            "put-1k",
            "get-100k",
            "put-100k",
            "get-1m",
            "put-1m",
            "enumerate-2000");

    @TempDir
    private Path directory;

    @TempDir
    private Path data;

    @Test
    void shouldMeasureOursAndTheMachineAndWhateverIsInstalled() throws Exception {
        Path json = directory.resolve("rows.json");
        Path svg = directory.resolve("chart.svg");
        Process process = compare(
                "--rounds=1",
                "--warmup=0",
                "--placement=free",
                "--system=raw-tcp,raw-unix,copy,crail-tcp,crail-unix,crail-mapped,redis,memcached,hdfs",
                "--json=" + json,
                "--svg=" + svg);
        List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();

        List<Map<String, Object>> rows = new ObjectMapper().readValue(json.toFile(), new TypeReference<>() {});
        Map<Object, Set<Object>> work =
                rows.stream().collect(groupingBy(row -> row.get("system"), mapping(row -> row.get("work"), toSet())));
        assertThat(work.get("crail-tcp")).isEqualTo(OUR_WORK);
        assertThat(work.get("crail-unix")).isEqualTo(OUR_WORK);
        assertThat(work.get("raw-tcp")).isEqualTo(Set.of("lookup", "read-1m", "write-1m"));
        assertThat(work.get("copy")).isEqualTo(Set.of("read-1m", "write-1m"));
        assertThat(rows).allSatisfy(row -> {
            assertThat((Double) row.get("median")).isPositive();
            assertThat(row).containsEntry("placement", "free").containsEntry("rounds", 1);
        });
        assertThat(rows).anySatisfy(row -> assertThat(row)
                .containsEntry("system", "crail-mapped")
                .containsEntry("reference", "copy")
                .hasEntrySatisfying("ratio", ratio -> assertThat((Double) ratio).isPositive()));
        for (String peer : List.of("redis", "memcached")) {
            String skipped = "skipped: " + peer + ": ";
            assertThat(work.containsKey(peer)).isNotEqualTo(lines.stream().anyMatch(line -> line.startsWith(skipped)));
        }
        assertThat(svg).content().startsWith("<svg ");
        assertNoDataIsLeft();
    }

    @Test
    void shouldEndItsServersAndRemoveTheirDataIfItIsEnded() throws Exception {
        Process process = compare("--rounds=100000", "--placement=free", "--system=raw-tcp,crail-tcp", "--only=lookup");
        List<ProcessHandle> descendants = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.lines().anyMatch(line -> line.startsWith("warm-up round done")))
                    .isTrue();
            process.descendants().forEach(descendants::add);
            process.toHandle().destroy(); // Process.destroy would close the stream that is read
            lines.lines().forEach(line -> {});
        }
        assertThat(process.waitFor()).isNotZero();

        assertThat(descendants).hasSizeGreaterThanOrEqualTo(4); // the client, the raw peer, a namenode and a datanode
        for (ProcessHandle each : descendants) {
            each.onExit().get(30, TimeUnit.SECONDS);
        }
        assertNoDataIsLeft();
    }

    @Test
    void shouldMeasureASystemOfOthersByTheNameOfItsClass() throws Exception {
        Path json = directory.resolve("rows.json");
        Process process = compare(
                "--rounds=2",
                "--warmup=0",
                "--placement=free",
                "--system=theirs",
                "--peer=" + Theirs.class.getName(),
                "--json=" + json);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();

        List<Map<String, Object>> rows = new ObjectMapper().readValue(json.toFile(), new TypeReference<>() {});
        assertThat(rows).hasSize(1);
        assertThat(rows.get(0))
                .containsEntry("work", "lookup")
                .containsEntry("system", "theirs")
                .containsEntry("rounds", 2)
                .containsEntry("reference", null);
    }

    @Test
    void shouldSayWhichWorkThereIsIfToldToDoOther() throws Exception {
        Process process = compare("--only=lockup");
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(output).contains("there is no work lockup; there are lookup, ");
    }

    private Process compare(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                Comparison.class.getName(),
                "--quick",
                "--directory=" + data));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private void assertNoDataIsLeft() {
        assertThat(data).isEmptyDirectory();
    }

    /** A system that a program of others brings along. */
    public static final class Theirs implements Peer {
        @Override
        public String name() {
            return "theirs";
        }

        @Override
        public Set<Ability> abilities() {
            return EnumSet.of(Ability.LOOKUP);
        }

        @Override
        public void start(Servers servers) {}

        @Override
        public PeerClient connect() {
            return new PeerClient() {
                @Override
                public void lookup(String path) {
                    Thread.onSpinWait();
                }
            };
        }
    }
}

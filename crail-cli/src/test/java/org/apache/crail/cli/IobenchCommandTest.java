/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IobenchCommandTest extends ClusterTest {
    private static JsonNode experiment(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("iobench", "--json", "-w", "2"));
        all.addAll(List.of(arguments));
        JsonNode report = new ObjectMapper()
                .readTree(crail(all.toArray(new String[0])).ok().out());
        assertThat(report.get("test").isTextual()).isTrue();
        return report.get("experiments").get(0);
    }

    /** How many operations a test has in flight, where it may have several. */
    private static String inFlight(String test, String count) {
        return test.endsWith("Async") ? count : "1";
    }

    private static void assertCounts(JsonNode experiment, long ops, long bytes) {
        assertThat(experiment.get("ops").asLong()).isEqualTo(ops);
        assertThat(experiment.get("sumBytes").asLong()).isEqualTo(bytes);
        assertThat(experiment.get("executionTimeS").asDouble()).isPositive();
        assertThat(experiment.get("latencyUs").asDouble()).isPositive();
        assertThat(experiment.get("percentilesUs").get("99").asDouble()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"write,true", "write,false", "writeAsync,false"})
    void shouldWrite(String test, String buffered) throws Exception {
        JsonNode result =
                experiment("-t", test, "-f", "/w", "-s", "50000", "-k", "9", "-b", inFlight(test, "3"), "-m", buffered);

        assertCounts(result, 9, 450_000);
        assertThat(crail("fs", "-stat", "%b", "/w").ok().lines()).containsExactly("450000");
        assertThat(crail("fs", "-ls", "-C", "/").ok().lines()).containsExactly("/w");
    }

    @ParameterizedTest
    @CsvSource({
        "readSequential,true",
        "readSequential,false",
        "readRandom,true",
        "readRandom,false",
        "readSequentialAsync,false"
    })
    void shouldRead(String test, String buffered) throws Exception {
        crail("iobench", "-t", "write", "-f", "/r", "-s", "10000", "-k", "10").ok();

        JsonNode result = experiment(
                "-t", test, "-f", "/r", "-s", "10000", "-k", "25", "-b", inFlight(test, "4"), "-m", buffered);

        assertCounts(result, 25, 250_000);
    }

    @Test
    void shouldSayFirstWhatIsMeasured() {
        CommandRun run =
                crail("iobench", "-t", "write", "-f", "/h", "-s", "65536", "-k", "3", "-w", "2", "-m", "false");

        assertThat(run.ok().lines().get(0))
                .startsWith("write (")
                .contains("-f /h, -s 64 KiB, -k 3", "direct streams", "2 operations before the clock starts");
    }

    @Test
    void shouldSayWhichClassServedWhat() throws Exception {
        JsonNode written =
                experiment("-t", "write", "-f", "/classes", "-s", "10000", "-k", "10", "-m", "false", "-d", "true");
        CommandRun read =
                crail("iobench", "-t", "readSequential", "-f", "/classes", "-s", "10000", "-k", "10", "-m", "false");

        assertThat(written.get("bytesByClass").get("0").asLong()).isEqualTo(100_000);
        assertThat(written.get("bytesByClass")).hasSize(1);
        assertThat(read.ok().lines()).contains("bytes by storage class 0: 100000");
        assertThat(experiment("-t", "getFile", "-f", "/classes").get("bytesByClass"))
                .isEmpty();
    }

    @Test
    void shouldReadMultiStreams() throws Exception {
        crail("fs", "-mkdir", "--type", "multifile", "/m").ok();
        for (int i = 0; i < 3; i++) {
            crail("iobench", "-t", "writeInt", "-f", "/m/" + i, "-k", "1000", "-w", "0")
                    .ok();
        }

        assertCounts(experiment("-t", "readMultiStream", "-f", "/m", "-s", "1000", "-k", "12", "-b", "2"), 12, 12_000);
        assertCounts(experiment("-t", "readMultiStreamInt", "-f", "/m", "-k", "3000", "-b", "2"), 3000, 12_000);
    }

    /** The reference counted no operations here and showed an infinite latency. */
    @ParameterizedTest
    @ValueSource(strings = {"createFile", "createFileAsync", "createMultiFile"})
    void shouldCountCreates(String test) throws Exception {
        JsonNode result = experiment("-t", test, "-f", "/c", "-k", "20", "-b", inFlight(test, "5"), "-e", "2");

        assertCounts(result, 20, 0);
        assertThat(crail("fs", "-ls", "-C", "/c").ok().lines()).hasSize(20);
    }

    @Test
    void shouldCreateWhatIsNotListed() throws Exception {
        assertCounts(experiment("-t", "createFile", "-f", "/c", "-k", "3", "-d", "true"), 3, 0);

        assertThat(crail("fs", "-ls", "-C", "/c").ok().lines()).isEmpty();
        assertThat(crail("fs", "-stat", "%n", "/c/2").ok().lines()).containsExactly("2");
    }

    @Test
    void shouldLookUp() throws Exception {
        crail("iobench", "-t", "write", "-f", "/g", "-s", "512").ok();

        assertCounts(experiment("-t", "getFile", "-f", "/g", "-k", "30"), 30, 0);
        assertCounts(experiment("-t", "getFileAsync", "-f", "/g", "-k", "30", "-b", "8"), 30, 0);
        assertCounts(experiment("-t", "getKey", "-f", "/g", "-k", "30", "-s", "256"), 30, 30 * 256);
    }

    @Test
    void shouldEnumerate() throws Exception {
        crail("iobench", "-t", "createFile", "-f", "/d", "-k", "7").ok();

        assertCounts(experiment("-t", "enumerateDir", "-f", "/d", "-k", "4"), 4, 0);
        assertCounts(experiment("-t", "browseDir", "-f", "/d", "-k", "4"), 28, 0);
    }

    @Test
    void shouldWriteAndCheckNumbers() throws Exception {
        assertCounts(experiment("-t", "writeInt", "-f", "/i", "-k", "20000"), 20_000, 80_000);
        assertCounts(experiment("-t", "readInt", "-f", "/i", "-k", "20001"), 20_001, 80_004);
        assertCounts(experiment("-t", "seekInt", "-f", "/i", "-k", "50"), 50, 200);
    }

    @Test
    void shouldFindNumbersThatAreWrong() {
        crail("iobench", "-t", "write", "-f", "/i", "-s", "4096").ok();

        CommandRun run = crail("iobench", "-t", "readInt", "-f", "/i", "-k", "5");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("/i holds").hasLineCount(1);
    }

    @Test
    void shouldPutAndGetKeyValues() throws Exception {
        assertCounts(experiment("-t", "put", "-f", "/t", "-k", "15", "-s", "100"), 15, 1500);
        assertCounts(experiment("-t", "put", "-f", "/t", "-k", "15", "-s", "100"), 15, 1500);
        assertCounts(experiment("-t", "get", "-f", "/t", "-k", "15", "-s", "100"), 15, 1500);
        assertThat(crail("fs", "-stat", "%F", "/t").ok().lines()).containsExactly("table");
    }

    @Test
    void shouldWriteBeforeCreationHasEnded() throws Exception {
        assertCounts(experiment("-t", "early", "-f", "/e", "-k", "5", "-s", "1000"), 5, 5000);
        assertThat(crail("fs", "-du", "-s", "/e").ok().out()).startsWith("5000");
    }

    @Test
    void shouldDoLocalTests() throws Exception {
        assertThat(crail("iobench", "-t", "printLocationclass").ok().out()).matches("locationClass \\d+\\R");
        assertThat(crail("-D", "crail.locationmap=a/b,c/d", "iobench", "-t", "locationMap")
                        .ok()
                        .lines())
                .containsExactly("locationMap a -> b", "locationMap c -> d");
        assertThat(crail("iobench", "-t", "collection", "-k", "3", "-b", "4")
                        .ok()
                        .out())
                .contains("collection RingBuffer", "collection ArrayDeque", "ops 15");
    }

    @Test
    void shouldRunThreadsAndClients() throws Exception {
        JsonNode written = experiment(
                "-t", "write", "-f", "/w", "-s", "1000", "-k", "10", "--threads", "3", "--clients", "2", "-o");
        JsonNode read = experiment("-t", "readSequential", "-f", "/w", "-s", "1000", "-k", "10", "--threads", "3");

        assertCounts(written, 30, 30_000);
        assertCounts(read, 30, 30_000);
        assertThat(crail("fs", "-ls", "-C", "/").ok().lines()).containsExactly("/w.0", "/w.1", "/w.2");
    }

    @Test
    void shouldPrintTheLinesOfTheReference() {
        CommandRun run = crail("iobench", "-t", "write", "-f", "/w", "-s", "1000", "-k", "4", "-e", "2")
                .ok();

        for (String name : List.of("execution time", "ops", "sumbytes", "throughput", "latency", "percentiles")) {
            assertThat(run.lines())
                    .filteredOn(line -> line.startsWith(name + " "))
                    .hasSize(2);
        }
        assertThat(run.out()).containsPattern("throughput [0-9.]+ Mbit/s, [0-9.]+ MiB/s\\R");
        assertThat(run.out()).contains("; 1 thread, 1 client, ");
    }

    @Test
    void shouldDeleteNothingItHasNotWrittenUnlessTold() {
        crail("iobench", "-t", "write", "-f", "/w", "-s", "1000", "-k", "4").ok();

        CommandRun again = crail("iobench", "-t", "write", "-f", "/w", "-s", "1000");

        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains("/w exists").contains("--overwrite").hasLineCount(1);
        assertThat(crail("fs", "-stat", "%b", "/w").ok().lines()).containsExactly("4000");
        crail("iobench", "-t", "write", "-f", "/w", "-s", "1000", "--overwrite").ok();
        assertThat(crail("fs", "-stat", "%b", "/w").ok().lines()).containsExactly("1000");
    }

    @Test
    void shouldFailAllThreadsWhenOneFails() {
        CommandRun run = crail("iobench", "-t", "readSequential", "-f", "/none", "--threads", "3");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("/none does not exist").hasLineCount(1);
    }

    @Test
    @SuppressWarnings("try") // the cluster's close declares Exception
    void shouldLeaveNoFileThatFillsTheStore() throws Exception {
        try (MiniCluster small =
                MiniCluster.builder(ClusterKind.SOCKETS).blocksPerDatanode(8).start()) {
            CommandRun run = CommandRun.of(
                    small.configuration(), "iobench", "-t", "write", "-f", "/c.dat", "-s", "64k", "-k", "100");

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("block").hasLineCount(1);
            assertThat(CommandRun.of(small.configuration(), "fs", "-find", "/")
                            .ok()
                            .lines())
                    .containsExactly("/");
        }
    }

    @Test
    void shouldRefuseAnOptionWithoutEffect() {
        CommandRun run = crail("iobench", "-t", "put", "-b", "64");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("-b has no effect on put").hasLineCount(1);
    }

    @Test
    void shouldRefuseWrongFlags() {
        assertThat(crail("iobench").exitCode()).isEqualTo(2);
        assertThat(crail("iobench", "-t", "wrte").err()).contains("did you mean write?");
        assertThat(crail("iobench", "-t", "write", "-k", "0").exitCode()).isEqualTo(2);
        assertThat(crail("iobench", "-t", "write", "-s", "many").exitCode()).isEqualTo(2);
    }
}

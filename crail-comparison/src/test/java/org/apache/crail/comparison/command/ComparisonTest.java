/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.command;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.Servers;
import org.apache.crail.comparison.contest.Placement;
import org.example.peer.FilesPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole command: that everything works, not how fast it is, and that nothing is left behind however it ends. */
@Tag("faults")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class ComparisonTest {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long NEEDED_BYTES = 6L << 30;

    private static final Set<String> LOOKUPS = Set.of("lookup", "lookup-rate");
    private static final Set<String> STREAMS = Set.of("read-1m", "write-1m");
    private static final Set<String> VALUES = Set.of(
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
            "put-1m");
    private static final Set<String> CREATES = Set.of("create-close", "create-sync");
    private static final Set<String> NAMES = Set.of("enumerate-2000");
    private static final Set<String> PIPELINES = Set.of("lookup-pipelined", "create-pipelined");

    private static final Set<String> VALUES_AT_ONCE = Set.of("get-1k-pipelined", "put-1k-pipelined");

    private static final Set<String> TABLES = Set.of("sum-parquet", "sum-arrow");

    private static final Set<String> OF_FILE_SYSTEMS = union(Set.of("read-4k-random", "list-status"), TABLES);

    private static final Map<String, Set<String>> WORK = Map.ofEntries(
            Map.entry("raw-tcp", union(LOOKUPS, STREAMS)),
            Map.entry("raw-tcp-stored", STREAMS),
            Map.entry("raw-unix", union(LOOKUPS, STREAMS)),
            Map.entry("raw-unix-stored", STREAMS),
            Map.entry("copy", STREAMS),
            Map.entry("crail-tcp", union(LOOKUPS, STREAMS, VALUES, VALUES_AT_ONCE, CREATES, NAMES, PIPELINES)),
            Map.entry("crail-unix", union(LOOKUPS, STREAMS, VALUES, VALUES_AT_ONCE, CREATES, NAMES, PIPELINES)),
            Map.entry("crail-mapped", union(STREAMS, VALUES, VALUES_AT_ONCE, CREATES)),
            Map.entry("crail-hadoop-tcp", union(LOOKUPS, STREAMS, CREATES, NAMES, OF_FILE_SYSTEMS)),
            Map.entry("crail-hadoop", union(LOOKUPS, STREAMS, CREATES, NAMES, OF_FILE_SYSTEMS)),
            Map.entry("local-files", union(STREAMS, TABLES, Set.of("read-4k-random"))),
            Map.entry("hdfs", union(LOOKUPS, STREAMS, CREATES, NAMES, OF_FILE_SYSTEMS)));

    @TempDir
    private Path directory;

    @TempDir
    private Path data;

    @TempDir(factory = InMemory.class)
    private Path memory;

    @TempDir
    private Path temporary;

    private final List<ComparisonProcess> started = new ArrayList<>();

    @AfterEach
    void endWhatIsLeft() {
        started.forEach(ComparisonProcess::close);
    }

    @Test
    void shouldMeasureOursTheMachineAndHdfs() throws Exception {
        assumeTrue(memory.startsWith(MEMORY), "blocks can be mapped in a large " + MEMORY);
        Path json = directory.resolve("rows.json");
        Path svg = directory.resolve("chart.svg");
        Path markdown = directory.resolve("page.md");
        ComparisonProcess comparison = compare(
                "--rounds=1",
                "--warmup=0",
                "--placement=free",
                "--directory=" + memory,
                "--json=" + json,
                "--svg=" + svg,
                "--markdown=" + markdown);
        assertSuccess(comparison);

        List<Map<String, Object>> rows = rows(json);
        assertThat(workBySystem(rows)).containsAllEntriesOf(Map.copyOf(objects(WORK)));
        assertThat(rows).allSatisfy(row -> {
            assertThat((Double) row.get("median")).isPositive();
            assertThat(row).containsEntry("placement", "free").containsEntry("rounds", 1);
        });
        assertThat(rows).anySatisfy(row -> assertThat(row)
                .containsEntry("system", "crail-mapped")
                .containsEntry("reference", "copy")
                .hasEntrySatisfying("ratio", ratio -> assertThat((Double) ratio).isPositive()));
        assertThat(svg).content().startsWith("<svg ");
        assertThat(markdown).content().startsWith("# ").contains("| lookup | crail-tcp | raw-tcp | <= 1.60 | ");
        assertNothingIsLeft();
    }

    @Test
    @Tag("full")
    void shouldMeasureColdClientsOfOursAndOfHdfs() throws Exception {
        assumeTrue(memory.startsWith(MEMORY), "blocks can be mapped in a large " + MEMORY);
        Path json = directory.resolve("rows.json");
        ComparisonProcess comparison = compare(
                "--cold",
                "--rounds=2",
                "--placement=free",
                "--system=crail-mapped,crail-tcp,hdfs",
                "--directory=" + memory,
                "--json=" + json);
        assertSuccess(comparison);

        Set<String> ofHdfs = coldSteps(Set.of("lookup", "create-close", "list-48"), Set.of("write-1m"));
        Set<String> ofOurs = union(ofHdfs, coldSteps(Set.of("get-256", "put-256"), Set.of("put-1m")));
        assertThat(workBySystem(rows(json)))
                .isEqualTo(objects(Map.of("crail-mapped", ofOurs, "crail-tcp", ofOurs, "hdfs", ofHdfs)));
        assertThat(rows(json)).allSatisfy(row -> {
            assertThat((Double) row.get("median")).isPositive();
            assertThat(row).containsEntry("unit", "ms").containsEntry("rounds", 2);
        });
        assertNothingIsLeft();
    }

    /** All steps of works that make 5 and 10 operations, and of those that make 2 and 4. */
    private static Set<String> coldSteps(Set<String> works, Set<String> largeWorks) {
        Set<String> steps = new HashSet<>();
        for (String clock : List.of("wall", "processor")) {
            for (String mark : List.of("open", "first", "5", "10")) {
                works.forEach(work -> steps.add(work + "/" + mark + "/" + clock));
            }
            for (String mark : List.of("open", "first", "2", "4")) {
                largeWorks.forEach(work -> steps.add(work + "/" + mark + "/" + clock));
            }
        }
        return steps;
    }

    @ParameterizedTest
    @CsvSource({"redis, redis-server", "memcached, memcached"})
    void shouldMeasureAColdClientOfASystemWhoseProgramIsInstalled(String system, String program) throws Exception {
        assumeTrue(isInstalled(program), program + " is installed");
        Path json = directory.resolve("rows.json");
        ComparisonProcess comparison =
                compare("--cold", "--rounds=1", "--placement=free", "--system=" + system, "--json=" + json);
        assertSuccess(comparison);

        assertThat(workBySystem(rows(json)))
                .isEqualTo(objects(Map.of(system, coldSteps(Set.of("get-256", "put-256"), Set.of("put-1m")))));
        assertNothingIsLeft();
    }

    @Test
    void shouldSayWhichSystemsHaveNoClientInAProcessOfItsOwn() throws Exception {
        ComparisonProcess comparison = compare(
                "--cold",
                "--rounds=1",
                "--placement=free",
                "--only=lookup",
                "--system=theirs",
                "--peer=" + Theirs.class.getName());
        assertSuccess(comparison);

        assertThat(comparison.lines()).contains("skipped: theirs: its clients cannot be processes of their own");
    }

    @ParameterizedTest
    @CsvSource({"redis, redis-server, true", "memcached, memcached, false"})
    void shouldMeasureASystemWhoseProgramIsInstalled(String system, String program, boolean atOnce) throws Exception {
        assumeTrue(isInstalled(program), program + " is installed");
        Path json = directory.resolve("rows.json");
        ComparisonProcess comparison =
                compare("--rounds=1", "--warmup=0", "--placement=free", "--system=" + system, "--json=" + json);
        assertSuccess(comparison);

        assertThat(workBySystem(rows(json)))
                .isEqualTo(objects(Map.of(system, atOnce ? union(VALUES, VALUES_AT_ONCE) : VALUES)));
        assertNothingIsLeft();
    }

    @Test
    void shouldSayWhichPackageBringsAProgramThatIsMissing() throws Exception {
        Path json = directory.resolve("rows.json");
        ComparisonProcess comparison = compare(
                List.of(),
                Map.of("PATH", directory.toString()),
                "--rounds=1",
                "--warmup=0",
                "--placement=free",
                "--only=get-256",
                "--system=redis,memcached",
                "--json=" + json);
        assertSuccess(comparison);

        assertThat(comparison.lines())
                .contains(
                        "skipped: redis: redis-server is not installed (Debian: redis-server)",
                        "skipped: memcached: memcached is not installed (Debian: memcached)");
        assertThat(rows(json)).isEmpty();
    }

    @Test
    void shouldGoOnWithoutASystemThatCannotRunHereAndSayWhy() throws Exception {
        Path json = directory.resolve("rows.json");
        ComparisonProcess comparison = compare(
                "--rounds=1",
                "--warmup=0",
                "--placement=free",
                "--only=lookup",
                "--system=theirs,absent",
                "--peer=" + Theirs.class.getName() + "," + Absent.class.getName(),
                "--json=" + json);
        assertSuccess(comparison);

        assertThat(comparison.lines())
                .contains("skipped: absent: it needs another machine")
                .noneMatch(line -> line.startsWith("failed: "));
        assertThat(workBySystem(rows(json))).isEqualTo(objects(Map.of("theirs", Set.of("lookup"))));
    }

    @Test
    void shouldEndItsServersAndRemoveTheirDataIfItIsEnded() throws Exception {
        endInTheMiddle(ProcessHandle::destroy);
    }

    @Test
    void shouldEndItsServersAndRemoveTheirDataIfItIsKilled() throws Exception {
        endInTheMiddle(ProcessHandle::destroyForcibly);
    }

    private void endInTheMiddle(Consumer<ProcessHandle> end) throws Exception {
        ComparisonProcess comparison = compare(
                "--rounds=100000",
                "--warmup=1",
                "--placement=free",
                "--system=raw-unix,crail-tcp,redis,memcached",
                "--only=lookup,get-256");
        comparison.awaitLine("warm-up round done");
        List<ProcessHandle> descendants = comparison.descendants();
        end.accept(comparison.handle());
        assertThat(comparison.awaitEnd()).isNotZero();

        assertThat(descendants).hasSizeGreaterThanOrEqualTo(4); // the client, the raw peer, a namenode and a datanode
        for (ProcessHandle each : descendants) {
            each.onExit().get(90, TimeUnit.SECONDS);
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldRunServersOnTheProcessorOfTheClientIfTheyShareIt() throws Exception {
        Processors processors = processors(Placement.SHARED);

        assertThat(processors.ofServers()).containsOnly(processors.ofClient());
    }

    @Test
    void shouldRunServersOnOneProcessorAndTheClientOnAnotherIfTheyAreSplit() throws Exception {
        Processors processors = processors(Placement.SPLIT);

        assertThat(Set.copyOf(processors.ofServers())).hasSize(1).doesNotContain(processors.ofClient());
    }

    /** The only processor that the client may use, and that of each server. */
    private record Processors(int ofClient, List<Integer> ofServers) {}

    private Processors processors(Placement placement) throws Exception {
        assumeTrue(placement.missing().isEmpty(), "processes can be placed");
        ComparisonProcess comparison = compare(
                "--rounds=100000",
                "--warmup=1",
                "--placement=" + placement,
                "--system=raw-tcp,redis",
                "--only=lookup,get-256");
        comparison.awaitLine("warm-up round done");

        ProcessHandle client = comparison.client();
        List<Integer> ofServers = new ArrayList<>();
        for (ProcessHandle server : client.children().toList()) {
            ofServers.add(onlyProcessor(server));
        }
        assertThat(ofServers).hasSize(isInstalled("redis-server") ? 2 : 1);
        return new Processors(onlyProcessor(client), ofServers);
    }

    private static int onlyProcessor(ProcessHandle process) throws IOException {
        String allowed = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow();
        assertThat(allowed).matches("Cpus_allowed_list:\\s*\\d+");
        return Integer.parseInt(allowed.replaceAll("\\D", ""));
    }

    @Test
    void shouldMeasureASystemOfOthersByTheNameOfItsClass() throws Exception {
        Path json = directory.resolve("rows.json");
        ComparisonProcess comparison = compare(
                "--rounds=2",
                "--warmup=0",
                "--placement=free",
                "--only=lookup",
                "--system=theirs",
                "--peer=" + Theirs.class.getName(),
                "--json=" + json);
        assertSuccess(comparison);

        assertThat(rows(json)).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("work", "lookup")
                .containsEntry("system", "theirs")
                .containsEntry("rounds", 2)
                .containsEntry("reference", null));
    }

    @Test
    void shouldMeasureASystemOfOthersThatAServiceFileNames() throws Exception {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(Peer.class.getName()), FilesPeer.class.getName());
        Path json = directory.resolve("rows.json");
        ComparisonProcess comparison = compare(
                List.of(directory),
                Map.of(),
                "--rounds=1",
                "--warmup=0",
                "--placement=free",
                "--system=their-files",
                "--json=" + json);
        assertSuccess(comparison);

        assertThat(workBySystem(rows(json)))
                .isEqualTo(objects(Map.of("their-files", union(VALUES, LOOKUPS, CREATES, STREAMS, TABLES))));
        assertNothingIsLeft();
    }

    @Test
    void shouldGoOnWithoutASystemThatFailsAndSayWhy() throws Exception {
        Path json = directory.resolve("rows.json");
        ComparisonProcess comparison = compare(
                "--rounds=2",
                "--warmup=0",
                "--placement=free",
                "--only=lookup",
                "--system=theirs,dying,not-starting",
                "--peer=" + Theirs.class.getName() + "," + Dying.class.getName() + "," + NotStarting.class.getName(),
                "--json=" + json);
        assertThat(comparison.awaitEnd())
                .as(String.join("\n", comparison.lines()))
                .isEqualTo(1);

        assertThat(comparison.lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("failed: dying in placement free: ")
                        .endsWith("it is gone"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("failed: not-starting in placement free: ")
                        .endsWith("it does not start"));
        assertThat(rows(json)).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("system", "theirs")
                .containsEntry("rounds", 2));
        assertNothingIsLeft();
    }

    @Test
    void shouldSayWhichWorkThereIsIfToldToDoOther() throws Exception {
        ComparisonProcess comparison = compare("--only=lockup");
        assertThat(comparison.awaitEnd()).isEqualTo(2);
        assertThat(comparison.lines())
                .anySatisfy(line -> assertThat(line).startsWith("there is no work lockup; there are lookup, "));
    }

    @Test
    void shouldSayWhatColdClientsCannotDo() throws Exception {
        ComparisonProcess work = compare("--cold", "--only=read-1m");
        assertThat(work.awaitEnd()).isEqualTo(2);
        assertThat(work.lines()).anySatisfy(line -> assertThat(line)
                .isEqualTo(
                        "there is no work read-1m; there are lookup, get-256, put-256, create-close, list-48, put-1m, "
                                + "write-1m"));
        ComparisonProcess system = compare("--cold", "--system=raw-tcp");
        assertThat(system.awaitEnd()).isEqualTo(2);
        assertThat(system.lines()).anySatisfy(line -> assertThat(line)
                .startsWith("there is no system raw-tcp; there are crail-mapped, "));
        ComparisonProcess chart = compare("--cold", "--svg=" + directory.resolve("chart.svg"));
        assertThat(chart.awaitEnd()).isEqualTo(2);
        assertThat(chart.lines())
                .contains("--svg and --markdown show no cold clients; take --json, or what is printed");
    }

    private ComparisonProcess compare(String... arguments) throws IOException {
        return compare(List.of(), Map.of(), arguments);
    }

    private ComparisonProcess compare(List<Path> classes, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (all.stream().noneMatch(argument -> argument.startsWith("--directory="))) {
            all.add("--directory=" + data);
        }
        ComparisonProcess comparison = new ComparisonProcess(temporary, classes, environment, all);
        started.add(comparison);
        return comparison;
    }

    private static void assertSuccess(ComparisonProcess comparison) throws InterruptedException {
        assertThat(comparison.awaitEnd())
                .as(() -> String.join("\n", comparison.lines()))
                .isZero();
    }

    private void assertNothingIsLeft() {
        assertThat(data).isEmptyDirectory();
        assertThat(memory).isEmptyDirectory();
        assertThat(temporary).isEmptyDirectory();
    }

    private static List<Map<String, Object>> rows(Path json) throws IOException {
        return new ObjectMapper().readValue(json.toFile(), new TypeReference<>() {});
    }

    private static Map<Object, Set<Object>> workBySystem(List<Map<String, Object>> rows) {
        return rows.stream().collect(groupingBy(row -> row.get("system"), mapping(row -> row.get("work"), toSet())));
    }

    private static boolean isInstalled(String program) throws InterruptedException {
        try {
            return new ProcessBuilder(program, "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) { // there is none
            return false;
        }
    }

    @SafeVarargs
    private static Set<String> union(Set<String>... sets) {
        Set<String> union = new HashSet<>();
        for (Set<String> set : sets) {
            union.addAll(set);
        }
        return Set.copyOf(union);
    }

    /** The same as JSON has it. */
    private static Map<Object, Set<Object>> objects(Map<String, Set<String>> strings) {
        return strings.entrySet().stream()
                .collect(java.util.stream.Collectors.toMap(
                        Map.Entry::getKey, entry -> Set.<Object>copyOf(entry.getValue())));
    }

    /** A directory in memory, if there is enough; otherwise where temporary files are. */
    static final class InMemory implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            boolean isThere =
                    Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= NEEDED_BYTES;
            return isThere ? Files.createTempDirectory(MEMORY, "t") : Files.createTempDirectory("t");
        }
    }

    /** A system that a program of others brings along. */
    public static class Theirs implements Peer {
        @Override
        public String name() {
            return "theirs";
        }

        @Override
        public Set<Ability> abilities() {
            return EnumSet.of(Ability.LOOKUP);
        }

        @Override
        public void start(Servers servers) throws Exception {}

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

    /** A system that cannot run on this machine. */
    public static final class Absent extends Theirs {
        @Override
        public String name() {
            return "absent";
        }

        @Override
        public Optional<String> missing() {
            return Optional.of("it needs another machine");
        }
    }

    /** A system that is there when the first round begins, and not when it ends. */
    public static final class Dying extends Theirs {
        @Override
        public String name() {
            return "dying";
        }

        @Override
        public PeerClient connect() {
            return new PeerClient() {
                private boolean warm;

                @Override
                public void lookup(String path) {
                    if (warm) {
                        throw new IllegalStateException("it is gone");
                    }
                }

                @Override
                public void settle() {
                    warm = true;
                }
            };
        }
    }

    /** A system whose servers cannot be started. */
    public static final class NotStarting extends Theirs {
        @Override
        public String name() {
            return "not-starting";
        }

        @Override
        public void start(Servers servers) throws IOException {
            throw new IOException("it does not start");
        }
    }
}

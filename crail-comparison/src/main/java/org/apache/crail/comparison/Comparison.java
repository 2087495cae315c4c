/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command behind bin/compare: starts a process for each placement, and puts their figures together. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compare this system on this machine with the machine itself, Redis, memcached and HDFS on the same work.",
            "All systems take turns in each round. A system that is not installed is named and skipped."
        })
public final class Comparison implements Callable<Integer> {
    /** As a shell tells it: 128 and the number of SIGKILL. */
    private static final int KILLED = 137;

    /** With which the names of directories for data begin. */
    static final String PREFIX = "compare-";

    @Option(
            names = "--cold",
            description = {
                "Measure clients in fresh JVMs instead: how long they take to open and to do their first operations.",
                "See docs/benchmarks/cold.md."
            })
    private boolean cold;

    @Option(names = "--rounds", description = "Rounds that count (default: 7, with --cold 5).")
    private Integer rounds;

    @Option(names = "--warmup", description = "Rounds before them (default: 2, with --cold 1).")
    private Integer warmup;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "WORK",
            description = "Only this work; may be repeated. See docs/benchmarks/method.md for what there is.")
    private Set<String> works = new LinkedHashSet<>();

    @Option(
            names = "--placement",
            split = ",",
            paramLabel = "PLACEMENT",
            description = {
                "Only so: shared (all processes on one processor), split (servers on one, the client on another),",
                "free; may be repeated (default: all, with --cold split)."
            })
    private Set<Placement> wanted = EnumSet.noneOf(Placement.class);

    @Option(names = "--system", split = ",", paramLabel = "NAME", description = "Only this one; may be repeated.")
    private Set<String> systems = new LinkedHashSet<>();

    @Option(
            names = "--peer",
            split = ",",
            paramLabel = "CLASS",
            description = "A further system: a class that implements Peer, on the class path; may be repeated.")
    private List<String> peers = new ArrayList<>();

    @Option(names = "--conf", description = "A configuration key of all our systems, as key=value; may be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "--quick", description = "As little as possible, to see that everything works; not for figures.")
    private boolean quick;

    @Option(
            names = "--directory",
            defaultValue = "/dev/shm",
            description = "Where a directory is made for all data, and removed (default: ${DEFAULT-VALUE}).")
    private Path data;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write an object for each row to this file.")
    private Path json;

    @Option(names = "--svg", paramLabel = "FILE", description = "Also draw a chart into this file.")
    private Path svg;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Also write a page with machine, commit, command and tables to this file.")
    private Path markdown;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private final String[] arguments;
    private final List<Placement> placements = new ArrayList<>();
    private final List<Result> results = new ArrayList<>();
    private Run run;
    private Child child;
    private boolean ending;

    private Comparison(String[] arguments) {
        this.arguments = arguments;
    }

    /** Runs the command and exits. */
    public static void main(String[] args) {
        CommandLine command = new CommandLine(new Comparison(args)).setCaseInsensitiveEnumValuesAllowed(true);
        System.exit(command.execute(args));
    }

    @Override
    public Integer call() throws Exception {
        complete();
        check();
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "end-child"));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        long beginNs = System.nanoTime();
        run = Run.begin(Instant.now(), System.getenv(Run.COMMIT_VARIABLE), arguments);
        if (cold) {
            run.facts().put(Run.CLIENT_OPTIONS, String.join(" ", Run.ownOptions()));
        }
        run.facts().forEach((name, value) -> out.println(name + ": " + value));
        try {
            for (Placement placement : wanted) {
                placement
                        .missing()
                        .ifPresentOrElse(
                                reason -> run.skipped().put("placement " + placement, reason),
                                () -> compare(placement));
            }
        } finally {
            if (!results.isEmpty() || !isEnding()) {
                run.took(Duration.ofNanos(System.nanoTime() - beginNs));
                print(out);
                write();
            }
        }
        return run.failed().isEmpty() ? 0 : 1;
    }

    /** Defaults that differ where clients are cold: each turn takes seconds there. */
    private void complete() {
        rounds = rounds == null ? (cold ? 5 : 7) : rounds;
        warmup = warmup == null ? (cold ? 1 : 2) : warmup;
        if (wanted.isEmpty()) {
            wanted = cold ? EnumSet.of(Placement.SPLIT) : EnumSet.allOf(Placement.class);
        }
    }

    private void check() throws IOException {
        try {
            if (rounds < 1 || warmup < 0) {
                throw new IllegalArgumentException("there must be 1 round or more, and 0 before or more");
            }
            if (cold && (svg != null || markdown != null)) {
                throw new IllegalArgumentException(
                        "--svg and --markdown show no cold clients; take --json, or what is printed");
            }
            ArgumentCheck.checkNames("work", works, workNames());
            List<Peer> all = systems();
            ArgumentCheck.checkNames(
                    "system", systems, all.stream().map(Peer::name).toList());
            ArgumentCheck.checkSettings(settings.keySet());
            ArgumentCheck.checkDirectory(
                    data,
                    all.stream()
                            .filter(peer -> systems.isEmpty() || systems.contains(peer.name()))
                            .filter(peer -> peer.missing().isEmpty())
                            .mapToLong(Peer::spaceMib)
                            .sum());
            ArgumentCheck.checkOutput("--json", json);
            ArgumentCheck.checkOutput("--svg", svg);
            ArgumentCheck.checkOutput("--markdown", markdown);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private Effort effort() {
        return quick ? Effort.QUICK : Effort.FULL;
    }

    private List<String> workNames() {
        return cold
                ? Arrays.stream(ColdWork.values()).map(ColdWork::workName).toList()
                : Works.all(effort()).stream().map(Work::name).toList();
    }

    private List<Peer> systems() throws IOException {
        return cold
                ? ColdSystems.all(ColdEffort.fitting(quick, ArgumentCheck.usableMib(data)), peers, settings)
                : Systems.all(effort(), peers, settings);
    }

    /** What a placement has found; if it fails, the others can still be of use. */
    private void compare(Placement placement) {
        System.err.println("placement " + placement);
        try (Child started = start(placement)) {
            int status = started.waitFor();
            if (status != 0) {
                throw new IOException("its process ended with exit code " + status
                        + (status == KILLED ? "; memory may have run out: compare fewer systems at a time" : ""));
            }
            Report report =
                    new ObjectMapper().readValue(report(started.directory()).toFile(), Report.class);
            placements.add(placement);
            results.addAll(Result.of(placement, report.figures()));
            run.skipped().putAll(report.skipped());
            report.failed()
                    .forEach((system, reason) -> run.failed().put(system + " in placement " + placement, reason));
        } catch (IOException e) {
            run.failed().put("placement " + placement, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            run.failed().put("placement " + placement, "interrupted");
        }
    }

    private static Path report(Path directory) {
        return directory.resolve("report.json");
    }

    private synchronized Child start(Placement placement) throws IOException {
        if (ending) {
            throw new IOException("not begun, as the comparison is ending");
        }
        Path directory = Files.createTempDirectory(data, PREFIX).toRealPath();
        Plan plan = new Plan(
                rounds,
                warmup,
                List.copyOf(works),
                List.copyOf(systems),
                peers,
                settings,
                quick,
                Run.ownOptions(),
                ArgumentCheck.usableMib(data),
                placement.serverPrefix(),
                Files.createDirectory(directory.resolve("data")).toString(),
                report(directory).toString());
        List<String> command = new ArrayList<>(placement.clientPrefix());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(cold ? JvmOptions.server(List.of()) : JvmOptions.client(Run.ownOptions()));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                (cold ? ColdContest.class : Contest.class).getName(),
                new ObjectMapper().writeValueAsString(plan)));
        child = new Child(command, directory);
        return child;
    }

    private synchronized boolean isEnding() {
        return ending;
    }

    private synchronized Child lastChild() {
        ending = true;
        return child;
    }

    private void end() {
        Child last = lastChild();
        if (last != null) {
            try {
                last.close();
            } catch (IOException e) { // the last thing that this process does
                System.err.println("not everything has been ended and removed: " + e);
            }
        }
    }

    private void print(PrintStream out) {
        run.skipped().forEach((name, reason) -> out.println("skipped: " + name + ": " + reason));
        run.failed().forEach((name, reason) -> out.println("failed: " + name + ": " + reason));
        out.println();
        if (cold) {
            printCold(new ColdTable(out, placements), out);
            return;
        }
        Table table = new Table(out, placements);
        out.println("Figures: median (min to max) of the rounds");
        out.println();
        table.figures(results);
        out.println();
        out.println("Ratios within a round, or figures that have a target of their own: median (min to max)");
        out.println();
        table.ratios(results);
    }

    private void printCold(ColdTable table, PrintStream out) {
        out.println(
                "Milliseconds: median (min to max) of the rounds. open, first: since the process was started, until the"
                        + " client was open and the first operation had ended; others: since it was open");
        table.figures(results);
        out.println();
        out.println("Ratios of these times within a round: median (min to max)");
        table.ratios(results);
    }

    private void write() throws IOException {
        if (json != null) {
            new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValue(json.toFile(), results.stream().map(Result::row).toList());
        }
        if (svg != null) {
            Files.writeString(svg, Chart.draw(results, placements));
        }
        if (markdown != null) {
            Files.writeString(markdown, Page.of(run, placements, results));
        }
    }
}

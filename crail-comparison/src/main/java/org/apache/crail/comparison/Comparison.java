/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.crail.benchmarks.Machine;
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
    @Option(names = "--rounds", defaultValue = "7", description = "Rounds that count (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--warmup", defaultValue = "5", description = "Rounds before them (default: ${DEFAULT-VALUE}).")
    private int warmup;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "WORK",
            description = "Only this work; may be repeated. See docs/benchmarks.md for what there is.")
    private Set<String> works = new LinkedHashSet<>();

    @Option(
            names = "--placement",
            split = ",",
            paramLabel = "PLACEMENT",
            description = {
                "Only so: shared (all processes on one processor), split (servers on one, the client on another),",
                "free; may be repeated."
            })
    private Set<Placement> wanted = EnumSet.allOf(Placement.class);

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
    private File json;

    @Option(names = "--svg", paramLabel = "FILE", description = "Also draw a chart into this file.")
    private Path svg;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private final String[] arguments;

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
        check();
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        List<String> command = new ArrayList<>(List.of("bin/compare"));
        command.addAll(List.of(arguments));
        Machine.describe(command).forEach((name, value) -> out.println(name + ": " + value));
        List<Placement> placements = new ArrayList<>();
        Map<String, String> skipped = new LinkedHashMap<>();
        List<Result> results = new ArrayList<>();
        for (Placement placement : wanted) {
            Optional<String> reason = placement.missing();
            if (reason.isPresent()) {
                skipped.put("placement " + placement, reason.get());
                continue;
            }
            Report report = run(placement);
            placements.add(placement);
            skipped.putAll(report.skipped());
            results.addAll(Result.of(placement, report.figures()));
        }
        print(out, placements, skipped, results);
        write(placements, results);
        return 0;
    }

    private void check() throws Exception {
        if (rounds < 1 || warmup < 0) {
            throw new ParameterException(spec.commandLine(), "there must be 1 round or more, and 0 before or more");
        }
        if (!Files.isWritable(data)) {
            throw new ParameterException(
                    spec.commandLine(), data + " is no directory that can be written; name another: --directory");
        }
        Effort effort = quick ? Effort.QUICK : Effort.FULL;
        checkNames("work", works, Works.all(effort).stream().map(Work::name).toList());
        checkNames(
                "system",
                systems,
                Systems.all(effort, peers, settings).stream().map(Peer::name).toList());
    }

    private void checkNames(String what, Set<String> names, List<String> known) {
        for (String name : names) {
            if (!known.contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "there is no " + what + " " + name + "; there are " + String.join(", ", known));
            }
        }
    }

    private Report run(Placement placement) throws Exception {
        System.err.println("placement " + placement);
        Path directory = Files.createTempDirectory(data, "crail-compare-");
        Path report = Files.createTempFile("crail-compare-", ".json");
        ObjectMapper mapper = new ObjectMapper();
        Plan plan = new Plan(
                rounds,
                warmup,
                List.copyOf(works),
                List.copyOf(systems),
                peers,
                settings,
                quick,
                placement.serverPrefix(),
                directory.toString(),
                report.toString());
        List<String> command = new ArrayList<>(placement.clientPrefix());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Contest.class.getName(),
                mapper.writeValueAsString(plan)));
        try (Child child = new Child(command, List.of(directory, report))) {
            if (child.waitFor() != 0) {
                throw new IOException("the comparison did not come to its end in placement " + placement);
            }
            return mapper.readValue(report.toFile(), Report.class);
        }
    }

    private static void print(
            PrintStream out, List<Placement> placements, Map<String, String> skipped, List<Result> results) {
        skipped.forEach((name, reason) -> out.println("skipped: " + name + ": " + reason));
        Table table = new Table(out, placements);
        out.println();
        out.println("Figures: median (min to max) of the rounds");
        out.println();
        table.figures(results);
        out.println();
        out.println("Ratios within a round, or figures that have a target of their own: median (min to max)");
        out.println();
        table.ratios(results);
    }

    private void write(List<Placement> placements, List<Result> results) throws IOException {
        if (json != null) {
            new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValue(json, results.stream().map(Result::row).toList());
        }
        if (svg != null) {
            Files.writeString(svg, Chart.draw(results, placements));
        }
    }
}

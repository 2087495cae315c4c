/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.cold.ColdEffort;
import org.apache.crail.comparison.cold.ColdSystems;
import org.apache.crail.comparison.cold.ColdWork;
import org.apache.crail.comparison.contest.Placement;
import org.apache.crail.comparison.contest.Plan;
import org.apache.crail.comparison.peers.Systems;
import org.apache.crail.comparison.report.Chart;
import org.apache.crail.comparison.report.Page;
import org.apache.crail.comparison.report.Result;
import org.apache.crail.comparison.report.Run;
import org.apache.crail.comparison.works.Effort;
import org.apache.crail.comparison.works.Work;
import org.apache.crail.comparison.works.Works;
import picocli.CommandLine.Option;

/** The options of bin/compare. Filled by the parser, used by one thread. */
final class CompareOptions {
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

    /** Whether clients are cold. */
    boolean cold() {
        return cold;
    }

    /** Where processes are placed. */
    Set<Placement> placements() {
        return Collections.unmodifiableSet(wanted);
    }

    /** Defaults that differ where clients are cold: each turn takes seconds there. */
    void complete() {
        rounds = rounds == null ? (cold ? 5 : 7) : rounds;
        warmup = warmup == null ? (cold ? 1 : 2) : warmup;
        if (wanted.isEmpty()) {
            wanted = cold ? EnumSet.of(Placement.SPLIT) : EnumSet.allOf(Placement.class);
        }
    }

    /**
     * Fails where the options would make the comparison fail later.
     *
     * @throws IllegalArgumentException saying what is wrong with which option
     */
    void check() throws IOException {
        if (rounds < 1 || warmup < 0) {
            throw new IllegalArgumentException("there must be 1 round or more, and 0 before or more");
        }
        if (cold && (svg != null || markdown != null)) {
            throw new IllegalArgumentException(
                    "--svg and --markdown show no cold clients; take --json, or what is printed");
        }
        ArgumentCheck.checkNames("work", works, workNames());
        List<Peer> all = systems();
        ArgumentCheck.checkNames("system", systems, all.stream().map(Peer::name).toList());
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

    /** Makes the directory of a placement. */
    Path newDirectory() throws IOException {
        return Files.createTempDirectory(data, PREFIX).toRealPath();
    }

    /** What the process of a placement is to do. */
    Plan plan(Placement placement, Path directory, Path report) throws IOException {
        return new Plan(
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
                report.toString());
    }

    /** Writes the files that are wanted. */
    void write(Run run, List<Placement> placements, List<Result> results) throws IOException {
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.crail.comparison.JvmOptions;
import org.apache.crail.comparison.contest.ColdContest;
import org.apache.crail.comparison.contest.Contest;
import org.apache.crail.comparison.contest.Placement;
import org.apache.crail.comparison.contest.Plan;
import org.apache.crail.comparison.contest.Report;
import org.apache.crail.comparison.report.ColdTable;
import org.apache.crail.comparison.report.Result;
import org.apache.crail.comparison.report.Run;
import org.apache.crail.comparison.report.Table;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private final CompareOptions options = new CompareOptions();

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
        options.complete();
        check();
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "end-child"));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        long beginNs = System.nanoTime();
        run = Run.begin(Instant.now(), System.getenv(Run.COMMIT_VARIABLE), arguments);
        if (options.cold()) {
            run.facts().put(Run.CLIENT_OPTIONS, String.join(" ", Run.ownOptions()));
        }
        run.facts().forEach((name, value) -> out.println(name + ": " + value));
        try {
            for (Placement placement : options.placements()) {
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
                options.write(run, placements, results);
            }
        }
        return run.failed().isEmpty() ? 0 : 1;
    }

    private void check() throws IOException {
        try {
            options.check();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
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
        Path directory = options.newDirectory();
        Plan plan = options.plan(placement, directory, report(directory));
        List<String> command = new ArrayList<>(placement.clientPrefix());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options.cold() ? JvmOptions.server(List.of()) : JvmOptions.client(Run.ownOptions()));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                (options.cold() ? ColdContest.class : Contest.class).getName(),
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
        if (options.cold()) {
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
}

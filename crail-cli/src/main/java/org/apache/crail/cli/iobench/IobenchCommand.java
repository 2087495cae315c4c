/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.Json;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code crail iobench}. Used by one thread. */
@Command(name = "iobench", description = "Measure a cluster.")
public final class IobenchCommand implements Callable<Integer> {
    private final CliContext context;

    @Mixin
    private BenchOptions options;

    /** Makes the command. */
    public IobenchCommand(CliContext context) {
        this.context = context;
    }

    /** The tests become a part of the help. */
    @Spec
    void spec(CommandSpec spec) {
        this.spec = spec;
        List<String> lines = new ArrayList<>(List.of("", "Tests:"));
        for (BenchType type : BenchType.values()) {
            lines.add(String.format("  %-20s %s", type.label(), type.text()));
        }
        lines.add("");
        lines.add("With several threads each writes a file of its own, named by -f, a dot and its number from 0, and");
        lines.add("reads that if it exists. The warm-up of tests that create leaves nothing behind. With -v what the");
        lines.add("store has counted is logged in the end.");
        spec.usageMessage().footer(lines.toArray(new String[0]));
    }

    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        String problem = options.problem();
        if (problem != null) {
            throw new ParameterException(spec.commandLine(), problem);
        }
        CrailConfiguration conf = context.configuration();
        int sizeBytes = options.sizeBytes(conf.get(CrailKeys.BUFFER_SIZE));
        String path = CrailPath.parse(options.path()).toString();
        List<BenchResult> results = new ArrayList<>();
        if (!options.json() && options.type().target() != BenchType.Target.NONE) {
            context.console().line(options.heading(path, sizeBytes));
        }
        try (BenchRunner runner = new BenchRunner(context, conf, options, path, sizeBytes)) {
            for (int i = 1; i <= options.experiments(); i++) {
                BenchResult result = runner.run(i);
                results.add(result);
                if (!options.json() && result.ops() > 0) {
                    result.print(context.console());
                }
            }
        }
        if (options.json()) {
            context.console().line(Json.of(report(path, sizeBytes, results)));
        }
        return ExitCode.OK;
    }

    private BenchReport report(String path, int sizeBytes, List<BenchResult> results) {
        return new BenchReport(
                options.type().label(),
                path,
                sizeBytes,
                options.loop(),
                options.batch(),
                options.warmup(),
                options.threads(),
                options.clients(),
                options.buffered(),
                results);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command behind bin/bench. Runs in the main thread and exits. */
@Command(
        name = "bench",
        description = "Measure Crail on this machine.",
        mixinStandardHelpOptions = true,
        subcommands = {
            RdmaComparison.class,
            NvmfComparison.class,
            FileComparison.class,
            NamenodeMemory.class,
            LookupComparison.class,
            JmhBenchmarks.class
        })
public final class Benchmarks {
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final List<String> command = new ArrayList<>(List.of("bin/bench"));

    private Benchmarks(String[] args) {
        command.addAll(List.of(args));
    }

    /** Runs the subcommand that the arguments name. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Benchmarks(args)).execute(args));
    }

    /** Where figures go. */
    PrintStream out() {
        return out;
    }

    /** The command that was given. */
    List<String> command() {
        return command;
    }
}

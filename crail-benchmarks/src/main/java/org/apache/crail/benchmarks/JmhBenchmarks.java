/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Runs the JMH benchmarks of this package. Not thread safe. */
@Command(name = "jmh", description = "Run JMH benchmarks, with the options of JMH.")
final class JmhBenchmarks implements Callable<Integer> {
    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        CommandLineOptions options = new CommandLineOptions(arguments.toArray(String[]::new));
        new Runner(new OptionsBuilder()
                        .parent(options)
                        .addProfiler(CpuTimeProfiler.class)
                        .build())
                .run();
        return 0;
    }
}

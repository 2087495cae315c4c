/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.crail.cli.console.Console;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;

/**
 * What is to be said about the configuration of a cluster. Immutable.
 *
 * @param problems texts with file and line
 * @param warnings about what is probably not meant
 * @param processes that the cluster has, if there are no problems
 */
record ClusterCheck(List<String> problems, List<String> warnings, List<PlannedProcess> processes) {
    ClusterCheck {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
        processes = List.copyOf(processes);
    }

    /** Reads both files; throws only if one cannot be read. */
    static ClusterCheck of(CliContext context, Path slaves) throws IOException {
        CrailConfiguration configuration = context.rawConfiguration();
        List<String> problems = new ArrayList<>();
        List<PlannedProcess> processes = new ArrayList<>();
        SlavesFile file = SlavesFile.read(slaves);
        List<Problem> ofSlaves = new ArrayList<>(file.problems());
        try {
            configuration.validate();
            ClusterPlan plan = new ClusterPlan(configuration);
            for (SlaveLine datanode : file.datanodes()) {
                plan.add(datanode);
            }
            ofSlaves.addAll(plan.problems());
            processes.addAll(plan.processes());
        } catch (ConfigurationException e) {
            problems.add(e.getMessage());
        }
        ofSlaves.stream()
                .sorted(Comparator.comparingInt(Problem::line))
                .forEach(problem -> problems.add(slaves + ", line " + problem.line() + ": " + problem.text()));
        if (file.datanodes().isEmpty() && file.problems().isEmpty()) {
            problems.add(slaves + " names no host; write one on a line of its own for each datanode");
        }
        List<String> warnings = new ArrayList<>(configuration.warnings());
        context.missingSiteFile().ifPresent(warnings::add);
        return new ClusterCheck(problems, warnings, processes);
    }

    boolean isPassed() {
        return problems.isEmpty();
    }

    /** To standard error, a line for each. */
    void print(Console console) {
        warnings.forEach(warning -> console.error("warning: " + warning));
        problems.forEach(problem -> console.error("error: " + problem));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.cli.context.HostNames;
import org.apache.crail.internal.Counted;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code crail conf check}. Used by one thread. */
@Command(
        name = "check",
        description = "Say what is wrong with the site file and the slaves file, and on which line.",
        footer = {"", "Exit code 1 if something is wrong; warnings count with --strict only."})
final class CheckCommand implements Callable<Integer> {
    private final CliContext context;

    @Mixin
    private SlavesOption slaves;

    @Option(names = "--strict", description = "End with exit code 1 also if there are only warnings.")
    private boolean strict;

    CheckCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        ClusterCheck check = ClusterCheck.of(context, slaves.path());
        check.print(context.console());
        if (!check.isPassed()) {
            return ExitCode.SOFTWARE;
        }
        int warnings = check.warnings().size() + warnOfNames(check);
        context.console()
                .line("a namenode on " + check.processes().get(0).host() + ", "
                        + Counted.of(check.processes().size() - 1, "datanode") + ": "
                        + (warnings == 0 ? "nothing is wrong" : Counted.of(warnings, "warning")));
        return strict && warnings > 0 ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    /** Names that other hosts may know all the same; answers how many warnings that makes. */
    private int warnOfNames(ClusterCheck check) {
        Set<String> unknown = HostNames.unknown(
                check.processes().stream().map(PlannedProcess::host).toList());
        if (unknown.isEmpty()) {
            return 0;
        }
        context.console()
                .error("warning: this host cannot resolve " + String.join(", ", unknown)
                        + "; correct the name, or make it known in DNS or /etc/hosts");
        return 1;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code crail conf plan}. Used by one thread. */
@Command(
        name = "plan",
        description =
                "List the processes of the cluster, one a line: name, host and the arguments of crail, parted by tabs.")
final class PlanCommand implements Callable<Integer> {
    private final CliContext context;

    @Mixin
    private SlavesOption slaves;

    PlanCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        ClusterCheck check = ClusterCheck.of(context, slaves.path());
        check.print(context.console());
        if (!check.isPassed()) {
            return ExitCode.SOFTWARE;
        }
        for (PlannedProcess process : check.processes()) {
            context.console().line(process.line());
        }
        return ExitCode.OK;
    }
}

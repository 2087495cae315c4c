/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code crail conf check}. Used by one thread. */
@Command(
        name = "check",
        description = "Say what is wrong with the site file and the slaves file, and on which line.",
        footer = {"", "Exit code 1 if something is wrong; warnings do not count."})
final class CheckCommand implements Callable<Integer> {
    private final CliContext context;

    @Mixin
    private SlavesOption slaves;

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
        context.console()
                .line("a namenode on " + check.processes().get(0).host() + ", "
                        + (check.processes().size() - 1) + " datanodes: nothing is wrong");
        return ExitCode.OK;
    }
}

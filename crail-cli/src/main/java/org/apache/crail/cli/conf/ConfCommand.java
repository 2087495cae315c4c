/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.util.concurrent.Callable;
import org.apache.crail.cli.admin.GetconfCommand;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code crail conf}: the table of its sub-commands. Used by one thread. */
@Command(
        name = "conf",
        description = "Check the configuration of a cluster, and show what follows from it.",
        synopsisSubcommandLabel = "COMMAND")
public final class ConfCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    private ConfCommand() {}

    /** The command with its sub-commands. */
    public static CommandLine commandLine(CliContext context) {
        CommandLine conf = new CommandLine(new ConfCommand());
        conf.addSubcommand(new CheckCommand(context));
        conf.addSubcommand(new PlanCommand(context));
        conf.addSubcommand("print", new GetconfCommand(context));
        return conf;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "a command is missing: check, print or plan");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import java.util.concurrent.Callable;
import org.apache.crail.cli.admin.VersionCommand;
import org.apache.crail.cli.context.GlobalOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code crail} without a sub-command. Used by one thread. */
@Command(
        name = "crail",
        versionProvider = VersionCommand.Provider.class,
        description = "A distributed store for temporary data.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 all went well, 1 an operation failed, 2 the command line is wrong.",
            "Each command has a --help of its own."
        })
final class RootCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("unused") // the parser fills it
    private final GlobalOptions options;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    @SuppressWarnings("unused") // the parser acts on it
    private boolean version;

    @Spec
    private CommandSpec spec;

    RootCommand(GlobalOptions options) {
        this.options = options;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}

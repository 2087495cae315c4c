/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.admin;

import java.util.concurrent.Callable;
import org.apache.crail.cli.context.CliContext;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code crail completion}. Used by one thread. */
@Command(
        name = "completion",
        description = "Print a script that completes commands and options in bash and zsh.",
        footer = {"", "Use: source <(crail completion)"})
public final class CompletionCommand implements Callable<Integer> {
    private final CliContext context;

    @Spec
    private CommandSpec spec;

    /** Makes the command. */
    public CompletionCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        context.console().line(AutoComplete.bash("crail", spec.root().commandLine()));
        return ExitCode.OK;
    }
}

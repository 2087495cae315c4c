/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.admin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
        description = "Print a script that completes commands, options, keys and paths of the store in bash and zsh.",
        footer = {"", "Use: source <(crail completion)"})
public final class CompletionCommand implements Callable<Integer> {
    private static final String PATHS = "/org/apache/crail/cli/paths.bash";

    /** What the parser's script offers for a word that begins with a dash. */
    private static final String OPTIONS = "\"${flag_opts} ${arg_opts}\"";

    private static final String OPTIONS_AND_COMMANDS = "\"${flag_opts} ${arg_opts} ${commands}\"";

    private final CliContext context;

    @Spec
    private CommandSpec spec;

    /** Makes the command. */
    public CompletionCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        String script = AutoComplete.bash("crail", spec.root().commandLine());
        try (InputStream paths = CompletionCommand.class.getResourceAsStream(PATHS)) {
            context.console().out().print(script.replace(OPTIONS, OPTIONS_AND_COMMANDS));
            context.console().out().print("\n_crail_keys='" + String.join(" ", new KeyNames()) + "'\n");
            context.console().out().print(new String(paths.readAllBytes(), StandardCharsets.UTF_8));
        }
        return ExitCode.OK;
    }
}

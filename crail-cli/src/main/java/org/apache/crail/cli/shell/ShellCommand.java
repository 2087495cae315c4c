/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.shell;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail shell}. Used by one thread. */
@Command(
        name = "shell",
        description = "Run the commands of lines in one process: those of crail fs, and all others.",
        footer = {
            "",
            "Lines are split as by a shell: quotes, backslashes, # for comments.",
            "exit, quit or the end of the lines end it.",
            "The exit code is that of the first command that failed."
        })
public final class ShellCommand implements Callable<Integer> {
    private static final String FS = "fs";

    private final CliContext context;
    private final Set<String> fsCommands;

    @Option(names = "-e", description = "End with the first command that fails.")
    private boolean endsWithFailure;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            defaultValue = "-",
            description = "Where the lines are; - for standard input, with a prompt on a terminal. Default: -.")
    private String file;

    /**
     * Makes the command.
     *
     * @param fsCommands the commands that need no word fs before them
     */
    public ShellCommand(CliContext context, Set<String> fsCommands) {
        this.context = context;
        this.fsCommands = fsCommands;
    }

    @Override
    public Integer call() throws IOException {
        return new Script(context, this::command, endsWithFailure).run(file);
    }

    private List<String> command(List<String> words) {
        List<String> command = new ArrayList<>(words);
        if (fsCommands.contains(words.get(0))) {
            command.add(0, FS);
        }
        return command;
    }
}

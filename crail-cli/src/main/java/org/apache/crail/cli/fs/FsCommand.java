/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.concurrent.Callable;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code crail fs}: the table of its sub-commands. Used by one thread. */
@Command(
        name = "fs",
        description = "Work with files and directories; as hadoop fs, each command with or without its dash.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Paths: /a/b or crail://host:port/a/b. Storage that is deleted is reclaimed after a few seconds."
        })
public final class FsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    private FsCommand() {}

    /** The command with its sub-commands. */
    public static CommandLine commandLine(CliContext context) {
        CommandLine fs = new CommandLine(new FsCommand());
        fs.addSubcommand(new LsCommand(context));
        fs.addSubcommand(new MkdirCommand(context));
        fs.addSubcommand(new PutCommand(context));
        fs.addSubcommand(new GetCommand(context));
        fs.addSubcommand(new CatCommand(context));
        fs.addSubcommand(new TailCommand(context));
        fs.addSubcommand(new RmCommand(context));
        fs.addSubcommand(new MvCommand(context));
        fs.addSubcommand(new StatCommand(context));
        fs.addSubcommand(new DuCommand(context));
        fs.addSubcommand(new TouchzCommand(context));
        return fs;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "a command is missing, e.g. -ls /");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.cli.shell.Script;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code crail fs}: the table of its sub-commands. Used by one thread. */
@Command(
        name = "fs",
        description = "Work with files and directories; as hadoop fs, each command with or without its dash.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Paths: /a/b or crail://host:port/a/b. Patterns: * ? [a-c] [^a] {a,b}; \\ takes a character literally.",
            "Storage that is deleted is reclaimed after a few seconds."
        })
public final class FsCommand implements Callable<Integer> {
    private static final List<String> COMMANDS = List.of(
            "ls",
            "find",
            "mkdir",
            "touchz",
            "put",
            "appendToFile",
            "get",
            "getmerge",
            "cat",
            "head",
            "tail",
            "cp",
            "mv",
            "rm",
            "rmdir",
            "stat",
            "test",
            "du",
            "df",
            "count",
            "chmod",
            "chown",
            "chgrp",
            "expire");

    private final CliContext context;

    @Option(
            names = "-f",
            paramLabel = "FILE",
            description = "Run the commands of the lines of a file, - for standard input, in one process.")
    private String script;

    @Option(names = "-e", description = "With -f: end with the first command that fails.")
    private boolean endsWithFailure;

    @Spec
    private CommandSpec spec;

    private FsCommand(CliContext context) {
        this.context = context;
    }

    /** The command with all its sub-commands. */
    public static CommandLine commandLine(CliContext context) {
        return withCommands(context, COMMANDS);
    }

    /** The command with those sub-commands that some words need: to learn of one takes longer than most need to run. */
    public static CommandLine commandLine(CliContext context, List<String> words) {
        String first = words.isEmpty() ? "" : words.get(0);
        String name = first.startsWith("-") ? first.substring(1) : first;
        return COMMANDS.contains(name) ? withCommands(context, List.of(name)) : commandLine(context);
    }

    private static CommandLine withCommands(CliContext context, List<String> names) {
        CommandLine fs = new CommandLine(new FsCommand(context));
        names.forEach(name -> fs.addSubcommand(command(name, context)));
        return fs.addSubcommand(new HelpCommand());
    }

    private static FsSubcommand command(String name, CliContext context) {
        return switch (name) {
            case "ls" -> new LsCommand(context);
            case "find" -> new FindCommand(context);
            case "mkdir" -> new MkdirCommand(context);
            case "touchz" -> new TouchzCommand(context);
            case "put" -> new PutCommand(context);
            case "appendToFile" -> new AppendToFileCommand(context);
            case "get" -> new GetCommand(context);
            case "getmerge" -> new GetmergeCommand(context);
            case "cat" -> new CatCommand(context);
            case "head" -> new HeadCommand(context);
            case "tail" -> new TailCommand(context);
            case "cp" -> new CpCommand(context);
            case "mv" -> new MvCommand(context);
            case "rm" -> new RmCommand(context);
            case "rmdir" -> new RmdirCommand(context);
            case "stat" -> new StatCommand(context);
            case "test" -> new TestCommand(context);
            case "du" -> new DuCommand(context);
            case "df" -> new DfCommand(context);
            case "count" -> new CountCommand(context);
            case "chmod" -> new ChmodCommand(context);
            case "chown" -> new ChownCommand(context);
            case "chgrp" -> new ChgrpCommand(context);
            case "expire" -> new ExpireCommand(context);
            default -> throw new IllegalArgumentException(name);
        };
    }

    @Override
    public Integer call() throws IOException {
        if (script == null) {
            throw new ParameterException(spec.commandLine(), "a command is missing, e.g. -ls /");
        }
        return new Script(context, FsCommand::command, endsWithFailure).run(script);
    }

    private static List<String> command(List<String> line) {
        List<String> words = new ArrayList<>(line);
        words.add(0, "fs");
        return words;
    }
}

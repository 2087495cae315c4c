/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.crail.cli.admin.CompletionCommand;
import org.apache.crail.cli.admin.ForgetCommand;
import org.apache.crail.cli.admin.GetconfCommand;
import org.apache.crail.cli.admin.PingCommand;
import org.apache.crail.cli.admin.ReportCommand;
import org.apache.crail.cli.admin.VersionCommand;
import org.apache.crail.cli.conf.ConfCommand;
import org.apache.crail.cli.console.Console;
import org.apache.crail.cli.console.FailureText;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.cli.context.CommandRunner;
import org.apache.crail.cli.context.GlobalOptions;
import org.apache.crail.cli.context.Stores;
import org.apache.crail.cli.fs.FsCommand;
import org.apache.crail.cli.fsck.FsckCommand;
import org.apache.crail.cli.iobench.IobenchCommand;
import org.apache.crail.cli.server.DatanodeCommand;
import org.apache.crail.cli.server.MiniCommand;
import org.apache.crail.cli.server.NamenodeCommand;
import org.apache.crail.cli.shell.ShellCommand;
import org.apache.crail.conf.CrailConfiguration;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** All of the {@code crail} command but the process around it. One run at a time. */
public final class CrailCommandLine {
    /** Is about all commands. */
    private static final String COMPLETION = "completion";

    /** All commands, in the order in which they are explained. */
    private static final List<String> COMMANDS = List.of(
            "namenode",
            "datanode",
            "mini",
            "fs",
            "shell",
            "iobench",
            "fsck",
            "report",
            "forget",
            "ping",
            "getconf",
            "conf",
            "version",
            COMPLETION);

    private final Console console;
    private final CrailConfiguration base;
    private final Stores shared;

    /** A command line that reads the usual configuration. */
    public CrailCommandLine(Console console) {
        this(console, null);
    }

    /**
     * A command line for a given cluster.
     *
     * @param base the configuration to begin with; null for the usual file and overrides
     */
    public CrailCommandLine(Console console, CrailConfiguration base) {
        this(console, base, null);
    }

    private CrailCommandLine(Console console, CrailConfiguration base, Stores shared) {
        this.console = console;
        this.base = base;
        this.shared = shared;
    }

    /**
     * Runs a command; returns the exit code: 0 if all went well, 1 if an operation failed, 2 if the arguments are
     * wrong.
     */
    public int run(String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        boolean needsNoOther = COMMANDS.contains(first) && !first.equals(COMPLETION);
        List<String> words = List.of(arguments);
        CommandLine parser = needsNoOther ? build(List.of(first), words.subList(1, words.size())) : build();
        int exitCode = parser.execute(arguments);
        return exitCode == CommandLine.ExitCode.OK ? outcome() : exitCode;
    }

    /** A command whose results went nowhere has failed. */
    private int outcome() {
        try {
            console.checkOut();
            return CommandLine.ExitCode.OK;
        } catch (IOException e) {
            console.error("crail: " + FailureText.line(e));
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** The parser with all commands. */
    public CommandLine build() {
        return build(COMMANDS, List.of());
    }

    /**
     * The parser with some commands: to learn of one takes longer than some need to run.
     *
     * @param words what comes behind the command, if there is only one; may be empty
     */
    private CommandLine build(List<String> commands, List<String> words) {
        GlobalOptions options = new GlobalOptions();
        CliContext context = new CliContext(console, options, base, shared, new Nested());
        CommandLine root = new CommandLine(new RootCommand(options));
        commands.forEach(name -> root.addSubcommand(command(name, words, context)));
        root.addSubcommand(new HelpCommand());
        addHelp(root);
        root.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        root.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        root.setParameterExceptionHandler(new UsageErrors(console));
        root.setExecutionExceptionHandler((failure, command, parsed) -> fail(context, failure, command));
        root.setExecutionStrategy(CrailCommandLine::execute);
        root.setUsageHelpAutoWidth(false);
        return root;
    }

    /** An unknown command is a mistake also if help is asked for, which makes the parser overlook it. */
    private static int checkKnown(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        CommandLine command = last.commandSpec().commandLine();
        if (!last.unmatched().isEmpty() && !command.getSubcommands().isEmpty()) {
            throw new UnmatchedArgumentException(command, last.unmatched());
        }
        return CommandLine.ExitCode.OK;
    }

    private static int execute(ParseResult parsed) {
        int ignored = checkKnown(parsed);
        return new CommandLine.RunLast().execute(parsed);
    }

    /** Runs commands within a command. */
    private final class Nested implements CommandRunner {
        @Override
        public int check(List<String> arguments) {
            return build().setExecutionStrategy(CrailCommandLine::checkKnown).execute(arguments.toArray(new String[0]));
        }

        @Override
        public int run(CrailConfiguration conf, Stores stores, List<String> arguments) {
            return new CrailCommandLine(console, conf, stores).run(arguments.toArray(new String[0]));
        }
    }

    private static Object command(String name, List<String> words, CliContext context) {
        return switch (name) {
            case "namenode" -> new NamenodeCommand(context);
            case "datanode" -> new DatanodeCommand(context);
            case "mini" -> new MiniCommand(context);
            case "fs" -> FsCommand.commandLine(context, words);
            case "shell" ->
                new ShellCommand(
                        context, FsCommand.commandLine(context).getSubcommands().keySet());
            case "iobench" -> new IobenchCommand(context);
            case "fsck" -> new FsckCommand(context);
            case "report" -> new ReportCommand(context);
            case "forget" -> new ForgetCommand(context);
            case "ping" -> new PingCommand(context);
            case "getconf" -> new GetconfCommand(context);
            case "conf" -> ConfCommand.commandLine(context);
            case "version" -> new VersionCommand(context);
            case COMPLETION -> new CompletionCommand(context);
            default -> throw new IllegalArgumentException("no such command: " + name);
        };
    }

    /** Every command explains itself; -h does so where it means nothing else, as it does for hadoop fs -ls. */
    private static void addHelp(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        if (!spec.helpCommand()) {
            spec.addOption(OptionSpec.builder(
                            spec.optionsMap().containsKey("-h")
                                    ? new String[] {"--help", "-help"}
                                    : new String[] {"-h", "--help", "-help"})
                    .type(boolean.class)
                    .usageHelp(true)
                    .description("Show this help.")
                    .build());
        }
        Set.copyOf(command.getSubcommands().values()).forEach(CrailCommandLine::addHelp);
    }

    private static int fail(CliContext context, Exception failure, CommandLine command) {
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        context.console().error(command.getCommandSpec().qualifiedName() + ": " + FailureText.line(failure));
        if (context.showsStacks()) {
            failure.printStackTrace(context.console().err());
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}

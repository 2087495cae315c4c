/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.crail.cli.admin.CompletionCommand;
import org.apache.crail.cli.admin.GetconfCommand;
import org.apache.crail.cli.admin.PingCommand;
import org.apache.crail.cli.admin.ReportCommand;
import org.apache.crail.cli.admin.VersionCommand;
import org.apache.crail.cli.conf.ConfCommand;
import org.apache.crail.cli.fs.FsCommand;
import org.apache.crail.cli.fsck.FsckCommand;
import org.apache.crail.cli.iobench.IobenchCommand;
import org.apache.crail.cli.server.DatanodeCommand;
import org.apache.crail.cli.server.MiniCommand;
import org.apache.crail.cli.server.NamenodeCommand;
import org.apache.crail.conf.CrailConfiguration;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** All of the {@code crail} command but the process around it. One run at a time. */
public final class CrailCommandLine {
    private final Console console;
    private final CrailConfiguration base;

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
        this.console = console;
        this.base = base;
    }

    /** Runs a command; returns the exit code: 0 if all went well, 1 if an operation failed, 2 if the arguments are wrong. */
    public int run(String... arguments) {
        return build().execute(arguments);
    }

    /** The parser with all commands. */
    public CommandLine build() {
        GlobalOptions options = new GlobalOptions();
        CliContext context = new CliContext(console, options, base);
        CommandLine root = new CommandLine(new RootCommand(options));
        root.addSubcommand(new NamenodeCommand(context));
        root.addSubcommand(new DatanodeCommand(context));
        root.addSubcommand(new MiniCommand(context));
        root.addSubcommand(FsCommand.commandLine(context));
        root.addSubcommand(new IobenchCommand(context));
        root.addSubcommand(new FsckCommand(context));
        root.addSubcommand(new ReportCommand(context));
        root.addSubcommand(new PingCommand(context));
        root.addSubcommand(new GetconfCommand(context));
        root.addSubcommand(ConfCommand.commandLine(context));
        root.addSubcommand(new VersionCommand(context));
        root.addSubcommand(new CompletionCommand(context));
        root.addSubcommand(new HelpCommand());
        addHelp(root);
        root.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        root.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        root.setParameterExceptionHandler(new UsageErrors(console));
        root.setExecutionExceptionHandler((failure, command, parsed) -> fail(context, failure, command));
        root.setUsageHelpAutoWidth(false);
        return root;
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
        context.console().error(command.getCommandSpec().qualifiedName() + ": " + Failures.line(failure));
        if (context.showsStacks()) {
            failure.printStackTrace(context.console().err());
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}

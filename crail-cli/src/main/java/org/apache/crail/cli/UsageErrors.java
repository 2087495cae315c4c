/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.crail.cli.console.Console;
import org.apache.crail.cli.console.FailureText;
import org.apache.crail.cli.server.DatanodeCommand;
import org.apache.crail.internal.Spelling;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells the user what is wrong with a command line, and what was probably meant. Used by one thread. */
final class UsageErrors implements IParameterExceptionHandler {
    private static final String SAID_BY_PARSER =
            "Invalid value for (option|positional parameter)[^:]*?'?(--?\\w+)?'?" + "( \\([^)]*\\))?: ";

    private final Console console;

    UsageErrors(Console console) {
        this.console = console;
    }

    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandSpec command = failure.getCommandLine().getCommandSpec();
        console.error(command.qualifiedName() + ": " + problem(failure, command, List.of(arguments)) + "; see "
                + command.qualifiedName() + " --help");
        return CommandLine.ExitCode.USAGE;
    }

    private static String problem(ParameterException failure, CommandSpec command, List<String> typed) {
        if (failure instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return unknown(whole(unmatched.getUnmatched().get(0), typed), command);
        }
        if (failure instanceof MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            return missing.getMissing().stream().map(UsageErrors::words).collect(Collectors.joining(" and "))
                    + " is missing";
        }
        return FailureText.line(failure).replaceFirst(SAID_BY_PARSER, "$2: ").replace("option option", "option");
    }

    /** The word of which the parser took off what begins as a short option does, as -h of -helpp. */
    private static String whole(String word, List<String> typed) {
        if (typed.contains(word) || !word.startsWith("-")) {
            return word;
        }
        return typed.stream()
                .filter(each -> each.startsWith("-") && each.endsWith(word.substring(1)))
                .findFirst()
                .orElse(word);
    }

    private static String words(ArgSpec argument) {
        return argument instanceof OptionSpec option
                ? option.shortestName() + " " + option.paramLabel()
                : argument.paramLabel();
    }

    private static String unknown(String word, CommandSpec command) {
        Optional<String> below = commandBelow(word, command);
        if (below.isPresent()) {
            return "no such command: " + word + "; did you mean " + below.get() + "?";
        }
        // The commands of fs may begin with a dash.
        boolean option = word.startsWith(command.subcommands().containsKey("-ls") ? "--" : "-");
        if (!option && !command.subcommands().isEmpty()) {
            String of = command.parent() == null ? "" : command.name() + " ";
            return "no such " + of + "command: " + word
                    + didYouMean(word, command)
                            .orElseGet(() -> "; there are " + String.join(", ", plainNames(command)));
        }
        return "unknown " + (option ? "option " : "argument ") + word
                + didYouMean(word, command).or(() -> behindDashes(command)).orElse("");
    }

    /** A command of a command that has this name, with a dash if it may have one. */
    private static Optional<String> commandBelow(String word, CommandSpec command) {
        String dashed = word.startsWith("-") ? word : "-" + word;
        return command.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(child -> child.subcommands().containsKey(word))
                .map(child -> child.qualifiedName() + " " + (child.subcommands().containsKey(dashed) ? dashed : word))
                .findFirst();
    }

    private static List<String> plainNames(CommandSpec command) {
        return command.subcommands().values().stream()
                .map(CommandLine::getCommandName)
                .distinct()
                .toList();
    }

    /** Options of a tier have a place of their own, where the parser leaves them alone. */
    private static Optional<String> behindDashes(CommandSpec command) {
        return command.positionalParameters().stream()
                .filter(argument -> argument.paramLabel().equals(DatanodeCommand.TIER_OPTION))
                .map(argument -> "; options of the tier come after --")
                .findFirst();
    }

    private static Optional<String> didYouMean(String word, CommandSpec command) {
        List<String> known = new ArrayList<>();
        for (OptionSpec option : command.options()) {
            known.addAll(List.of(option.names()));
        }
        known.addAll(command.subcommands().keySet());
        String name = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
        return Spelling.nearest(name, known).map(near -> "; did you mean " + near + "?");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.crail.internal.Spelling;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells the user what is wrong with a command line, and what was probably meant. Used by one thread. */
final class UsageErrors implements IParameterExceptionHandler {
    private final Console console;

    UsageErrors(Console console) {
        this.console = console;
    }

    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandSpec command = failure.getCommandLine().getCommandSpec();
        console.error(command.qualifiedName() + ": " + problem(failure, command) + "; see " + command.qualifiedName()
                + " --help");
        return CommandLine.ExitCode.USAGE;
    }

    private static String problem(ParameterException failure, CommandSpec command) {
        if (failure instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String word = unmatched.getUnmatched().get(0);
            boolean option = word.startsWith("-");
            String kind = option ? "option " : command.subcommands().isEmpty() ? "argument " : "command ";
            return "unknown " + kind + word
                    + suggestion(word, command)
                            .map(near -> "; did you mean " + near + "?")
                            .orElse("");
        }
        return Failures.line(failure);
    }

    private static Optional<String> suggestion(String word, CommandSpec command) {
        List<String> known = new ArrayList<>();
        for (OptionSpec option : command.options()) {
            known.addAll(List.of(option.names()));
        }
        known.addAll(command.subcommands().keySet());
        String name = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
        return Spelling.nearest(name, known);
    }
}

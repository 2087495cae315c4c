/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import java.util.Optional;
import org.apache.crail.cli.console.Console;
import picocli.CommandLine;

/**
 * The {@code crail} command. Exits with 0 if all went well, 1 if an operation failed and 2 if the command line was
 * wrong. Used by one thread.
 */
public final class Crail {
    private Crail() {}

    /** Runs the command and ends the JVM. */
    public static void main(String[] arguments) {
        LogLevel.choose(arguments);
        Console console = Console.system();
        Optional<String> problem = Arguments.problem(arguments);
        problem.ifPresent(text -> console.error("crail: " + text));
        int exitCode = problem.isPresent() ? CommandLine.ExitCode.USAGE : new CrailCommandLine(console).run(arguments);
        System.exit(exitCode);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.shell;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.crail.cli.console.Console;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.cli.context.Stores;
import org.apache.crail.conf.CrailConfiguration;
import picocli.CommandLine.ExitCode;

/** Runs the commands of lines with stores that stay open. Used by one thread. */
public final class Script {
    private static final Set<String> ENDS = Set.of("exit", "quit");
    private static final String STANDARD_INPUT = "-";
    private static final String PROMPT = "crail> ";

    private final CliContext context;
    private final UnaryOperator<List<String>> commands;
    private final boolean endsWithFailure;

    /**
     * Makes a script.
     *
     * @param commands gives the words of a command from those of a line
     * @param endsWithFailure whether the first failure ends it
     */
    public Script(CliContext context, UnaryOperator<List<String>> commands, boolean endsWithFailure) {
        this.context = context;
        this.commands = commands;
        this.endsWithFailure = endsWithFailure;
    }

    /** Runs all lines of a file, {@code -} for standard input; returns the exit code of the first that failed, or 0. */
    public int run(String file) throws IOException {
        if (file.equals(STANDARD_INPUT)) {
            return run(context.console().in(), context.console().isInteractive());
        }
        try (InputStream lines = new BufferedInputStream(Files.newInputStream(Path.of(file)))) {
            return run(lines, false);
        }
    }

    private int run(InputStream lines, boolean isInteractive) throws IOException {
        CrailConfiguration conf = context.rawConfiguration();
        int exitCode = ExitCode.OK;
        try (Stores stores = context.stores()) {
            String line = next(lines, isInteractive);
            while (line != null && !ENDS.contains(line.strip())) {
                int code = run(line, conf, stores);
                exitCode = exitCode == ExitCode.OK ? code : exitCode;
                boolean isOver = (code != ExitCode.OK && endsWithFailure)
                        || context.console().out().checkError();
                line = isOver ? null : next(lines, isInteractive);
            }
        }
        return exitCode;
    }

    private int run(String line, CrailConfiguration conf, Stores stores) {
        try {
            List<String> words = Words.of(line);
            return words.isEmpty() ? ExitCode.OK : context.run(conf, stores, commands.apply(words));
        } catch (IllegalArgumentException e) {
            context.console().error("crail: " + e.getMessage());
            return ExitCode.USAGE;
        }
    }

    /** A line, or null at the end; not a byte more, as a command may read what follows. */
    private String next(InputStream lines, boolean isInteractive) throws IOException {
        Console console = context.console();
        if (isInteractive) {
            console.out().print(PROMPT);
            console.out().flush();
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int letter = lines.read();
        if (letter < 0) {
            return null;
        }
        while (letter >= 0 && letter != '\n') {
            line.write(letter);
            letter = lines.read();
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}

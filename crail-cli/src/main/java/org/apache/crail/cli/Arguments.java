/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Finds arguments that Java could not decode: it puts a replacement character for each byte that the locale's encoding
 * does not have, so that different names become the same. All methods are thread safe.
 */
final class Arguments {
    private static final Path OWN_COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final char REPLACEMENT = '\uFFFD';

    private Arguments() {}

    /** What is wrong with the arguments of this process; empty if nothing is. */
    static Optional<String> problem(String... arguments) {
        if (Arrays.stream(arguments).noneMatch(Arguments::isSuspect)) {
            return Optional.empty();
        }
        return problem(rawCommandLine(), arguments);
    }

    /** As {@link #problem(String...)}, with all words of the command line, each of which ends with a byte 0. */
    static Optional<String> problem(byte[] commandLine, String... arguments) {
        String[] raw = new String(commandLine, StandardCharsets.UTF_8).split("\0", -1);
        byte[] again = String.join("\0", raw).getBytes(StandardCharsets.UTF_8);
        int first = raw.length - 1 - arguments.length;
        for (int i = 0; i < arguments.length; i++) {
            boolean isSame = first >= 0 && Arrays.equals(again, commandLine) && raw[first + i].equals(arguments[i]);
            if (isSuspect(arguments[i]) && !isSame) {
                return Optional.of("argument " + arguments[i] + " is no text in the encoding of this locale, "
                        + System.getProperty("sun.jnu.encoding")
                        + "; set LC_ALL to a locale that has it, such as C.UTF-8");
            }
        }
        return Optional.empty();
    }

    private static boolean isSuspect(String argument) {
        return argument.indexOf(REPLACEMENT) >= 0;
    }

    private static byte[] rawCommandLine() {
        try {
            return Files.readAllBytes(OWN_COMMAND_LINE);
        } catch (IOException e) {
            return new byte[0]; // then nobody knows what was meant
        }
    }
}

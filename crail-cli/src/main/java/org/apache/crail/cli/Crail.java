/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

/**
 * The {@code crail} command. Exits with 0 if all went well, 1 if an operation failed and 2 if the command line was wrong.
 * Used by one thread.
 */
public final class Crail {
    private Crail() {}

    /** Runs the command and ends the JVM. */
    public static void main(String[] arguments) {
        LogLevel.choose(arguments);
        int exitCode = new CrailCommandLine(Console.system()).run(arguments);
        System.exit(exitCode);
    }
}

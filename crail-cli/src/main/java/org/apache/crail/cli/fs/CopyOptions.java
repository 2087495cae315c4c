/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import org.apache.crail.cli.console.Numbers;
import picocli.CommandLine.Option;

/** Options of commands that copy. Filled by the parser, read by one thread afterwards. */
final class CopyOptions {
    @Option(names = "-f", description = "Replace a file that exists.")
    private boolean force;

    @Option(
            names = {"-t", "--threads"},
            paramLabel = "N",
            defaultValue = "8",
            converter = Numbers.Threads.class,
            description = "How many files are copied at once. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = "--slices",
            paramLabel = "N",
            defaultValue = "4",
            converter = Numbers.Threads.class,
            description = "How many buffers of crail.buffersize bytes are in flight for each file. "
                    + "Default: ${DEFAULT-VALUE}.")
    private int slices;

    @Option(
            names = {"-q", "--quiet"},
            description = "Show no progress.")
    private boolean quiet;

    /** Whether existing files are replaced. */
    boolean force() {
        return force;
    }

    int threads() {
        return threads;
    }

    int slices() {
        return slices;
    }

    boolean quiet() {
        return quiet;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.UUID;
import org.apache.crail.cli.Numbers;
import picocli.CommandLine.Option;

/** Options of commands that copy. Filled by the parser, read by one thread afterwards. */
final class CopyOptions {
    /** Begins the name of a file whose bytes are on their way. */
    private static final String UNFINISHED = "._COPYING_";

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

    /**
     * A name for a file while its bytes are on their way: another one for each copy, so that copies to the same path do not
     * meet before they have ended, and short, however long the file's own name is.
     */
    static String unfinished() {
        return UNFINISHED + UUID.randomUUID().toString().replace("-", "");
    }

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

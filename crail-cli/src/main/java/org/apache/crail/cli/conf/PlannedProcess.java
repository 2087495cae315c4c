/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A process that belongs to a cluster. Immutable.
 *
 * @param name that no other process of the cluster has, for the names of its files
 * @param arguments of {@code crail}
 */
record PlannedProcess(String name, String host, List<String> arguments) {
    PlannedProcess {
        arguments = List.copyOf(arguments);
    }

    /** A line for a shell script: name, host and arguments, parted by tabs, each argument quoted for the shell. */
    String line() {
        return name + "\t" + host + "\t"
                + arguments.stream().map(PlannedProcess::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}

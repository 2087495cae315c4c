/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;

/** Runs commands in this process. Called by one thread. */
public interface CommandRunner {
    /** Tells what is wrong with the words of a command; returns the exit code, 0 if they are right. */
    int check(List<String> arguments);

    /**
     * Runs a command for the cluster of a configuration; returns its exit code.
     *
     * @param stores what the command leaves open; null if it has stores of its own
     */
    int run(CrailConfiguration conf, Stores stores, List<String> arguments);
}

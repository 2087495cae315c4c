/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;

/** Runs a command in this process. Called by one thread. */
@FunctionalInterface
public interface CommandRunner {
    /** Runs a command for the cluster of a configuration; returns its exit code. */
    int run(CrailConfiguration conf, List<String> arguments);
}

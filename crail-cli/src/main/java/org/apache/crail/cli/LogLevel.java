/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** How much is logged when neither the user nor {@code bin/crail} says so. Called by one thread, before any logging. */
final class LogLevel {
    /** The system property that logback.xml takes its level from. */
    static final String PROPERTY = "log.level";

    private static final Set<String> SERVERS = Set.of("namenode", "datanode", "mini");

    private LogLevel() {}

    static void choose(String[] arguments) {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, of(Arrays.asList(arguments)));
        }
    }

    /** INFO for servers and where the user wants to see more, WARN otherwise. */
    static String of(List<String> arguments) {
        boolean verbose = arguments.contains("-v") || arguments.contains("--verbose");
        return verbose || arguments.stream().anyMatch(SERVERS::contains) ? "INFO" : "WARN";
    }
}

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

    /** Global options that are followed by a value. */
    private static final Set<String> VALUED = Set.of("-D", "--conf");

    private LogLevel() {}

    static void choose(String[] arguments) {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, of(Arrays.asList(arguments)));
        }
    }

    /** INFO for servers and where the user wants to see more, WARN otherwise. */
    static String of(List<String> arguments) {
        boolean verbose = arguments.contains("-v") || arguments.contains("--verbose");
        return verbose || SERVERS.contains(command(arguments)) ? "INFO" : "WARN";
    }

    /**
     * The first word that is neither a global option nor the value of one, as bin/crail finds it; empty if there is
     * none.
     */
    private static String command(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (VALUED.contains(word)) {
                i++;
            } else if (!word.startsWith("-")) {
                return word;
            }
        }
        return "";
    }
}

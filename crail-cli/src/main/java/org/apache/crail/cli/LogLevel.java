/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** How much is logged when neither the user nor {@code bin/crail} says so. Called by one thread, before any logging. */
final class LogLevel {
    /** The system property that logback.xml takes its level from. */
    static final String PROPERTY = "log.level";

    private static final String MINI = "mini";
    private static final Set<String> SERVERS = Set.of("namenode", "datanode", MINI);

    /** Global options, and those of mini, that are followed by a value. */
    private static final Set<String> VALUED =
            Set.of("-D", "--conf", "-n", "--datanodes", "-p", "--port", "-s", "--size");

    private LogLevel() {}

    static void choose(String[] arguments) {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, of(Arrays.asList(arguments)));
        }
    }

    /** INFO for servers without a command to run, and where the user wants to see more; WARN otherwise. */
    static String of(List<String> arguments) {
        boolean verbose = arguments.contains("-v") || arguments.contains("--verbose");
        List<String> words = words(arguments);
        boolean serves = !words.isEmpty()
                && SERVERS.contains(words.get(0))
                && !(words.get(0).equals(MINI) && words.size() > 1); // then its command is what counts
        return verbose || serves ? "INFO" : "WARN";
    }

    /** The words that are neither options nor values of such; the first is the command, as bin/crail finds it. */
    private static List<String> words(List<String> arguments) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (VALUED.contains(word)) {
                i++;
            } else if (!word.startsWith("-")) {
                words.add(word);
            }
        }
        return words;
    }
}

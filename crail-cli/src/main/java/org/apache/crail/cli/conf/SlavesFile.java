/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where datanodes run: {@code host [-t tier class] [-c storage class] [-- tier options]}, one per line, with comments
 * that begin with "#" and blank lines between. A host may stand there several times. Immutable.
 *
 * @param datanodes those of the lines that can be read
 * @param problems what is wrong with the others
 */
record SlavesFile(List<SlaveLine> datanodes, List<Problem> problems) {
    private static final String USAGE = "host [-t tier class] [-c storage class] [-- tier options]";

    SlavesFile {
        datanodes = List.copyOf(datanodes);
        problems = List.copyOf(problems);
    }

    /** Reads a file whole; throws only if it cannot be read. */
    static SlavesFile read(Path file) throws IOException {
        return parse(Files.readAllLines(file));
    }

    static SlavesFile parse(List<String> lines) {
        List<SlaveLine> datanodes = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i).replaceFirst("(^|\\s)#.*", "").strip();
            if (!text.isEmpty()) {
                try {
                    datanodes.add(line(i + 1, List.of(text.split("\\s+"))));
                } catch (IllegalArgumentException e) {
                    problems.add(new Problem(i + 1, e.getMessage()));
                }
            }
        }
        return new SlavesFile(datanodes, problems);
    }

    private static SlaveLine line(int number, List<String> words) {
        String host = words.get(0);
        if (!Hosts.isHost(host)) {
            throw new IllegalArgumentException("\"" + host
                    + "\" is no host name or address (users belong into ~/.ssh/config, addresses of IPv6 have no brackets); a line is "
                    + USAGE);
        }
        int end = words.indexOf("--");
        List<String> options = words.subList(1, end < 0 ? words.size() : end);
        List<String> tierOptions = end < 0 ? List.of() : words.subList(end + 1, words.size());
        String tier = null;
        Integer storageClass = null;
        for (int i = 0; i < options.size(); i += 2) {
            String option = options.get(i);
            if (!Arrays.asList("-t", "-c").contains(option)) {
                throw new IllegalArgumentException("\"" + option + "\" is not known; a line is " + USAGE
                        + ", and options of the tier, such as -p for a port, come after --");
            }
            if (i + 1 == options.size()) {
                throw new IllegalArgumentException(option + " lacks its value; a line is " + USAGE);
            }
            if (option.equals("-t")) {
                tier = options.get(i + 1);
            } else {
                storageClass = number(options.get(i + 1));
            }
        }
        return new SlaveLine(number, host, tier, storageClass, tierOptions);
    }

    private static int number(String text) {
        if (!text.matches("[0-9]{1,4}")) {
            throw new IllegalArgumentException(
                    "the storage class \"" + text + "\" is no number; classes are counted from 0");
        }
        return Integer.parseInt(text);
    }
}

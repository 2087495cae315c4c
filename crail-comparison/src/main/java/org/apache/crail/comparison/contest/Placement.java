/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.crail.comparison.Programs;

/**
 * On which processors servers and client run. A round trip that wakes another processor takes several times as long as
 * one within a processor, so figures are compared within one placement only. Thread safe.
 */
public enum Placement {
    /** All processes on one processor. */
    SHARED,
    /** Servers on one, the client on another. */
    SPLIT,
    /** Where the kernel puts them. */
    FREE;

    private static final String ALLOWED = "Cpus_allowed_list:";

    /** What stands before the command of a server; for the process that no one has placed. */
    public List<String> serverPrefix() {
        return this == FREE ? List.of() : pin(processors().get(0));
    }

    /** What stands before the command of the client; for the process that no one has placed. */
    public List<String> clientPrefix() {
        return this == FREE ? List.of() : pin(processors().get(this == SPLIT ? 1 : 0));
    }

    /** Why this machine cannot place processes so; empty if it can. */
    public Optional<String> missing() {
        if (this == FREE) {
            return Optional.empty();
        }
        if (Programs.find("taskset").isEmpty()) {
            return Optional.of("taskset is not installed (Debian: util-linux)");
        }
        int needed = this == SPLIT ? 2 : 1;
        return processors().size() < needed
                ? Optional.of("it needs " + needed + " processors, this process may use " + processors())
                : Optional.empty();
    }

    /** As users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static List<String> pin(int processor) {
        return List.of("taskset", "-c", Integer.toString(processor));
    }

    /** The first two processors that this process may use, or fewer. */
    private static List<Integer> processors() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith(ALLOWED))
                    .findFirst()
                    .map(line -> firstTwo(line.substring(ALLOWED.length()).strip()))
                    .orElse(List.of());
        } catch (IOException e) { // not Linux
            return List.of();
        }
    }

    /** The first two numbers of a list such as 0-3,8. */
    static List<Integer> firstTwo(String list) {
        return Arrays.stream(list.split(",", -1))
                .flatMap(range -> {
                    String[] ends = range.split("-", -1);
                    int first = Integer.parseInt(ends[0]);
                    int last = Integer.parseInt(ends[ends.length - 1]);
                    return IntStream.rangeClosed(first, last).boxed();
                })
                .limit(2)
                .toList();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs programs that alone see a tmpfs of a few bytes, so that it can be filled without harm to anybody else. Stateless. */
final class SmallMemory {
    private static final String MOUNT_AND_RUN = "mount -t tmpfs -o size=$1 tmpfs \"$2\" && shift 2 && exec \"$@\"";

    private static final List<String> LIMIT = List.of("timeout", "--kill-after=5", "60");

    private SmallMemory() {}

    /** A command that runs another one, whose words are to follow, with a tmpfs at a directory; skips the test where that cannot be. */
    static List<String> at(Path directory, int bytes) throws IOException, InterruptedException {
        String reasons = "";
        for (String namespaces : List.of("-m", "-Urm")) { // the latter for who is not root
            List<String> command = new ArrayList<>(List.of("unshare", namespaces, "sh", "-c", MOUNT_AND_RUN, "sh"));
            command.addAll(List.of(Integer.toString(bytes), directory.toString()));
            String said = outputOf(command, "echo", "mounted");
            if (said.startsWith("mounted")) {
                return command;
            }
            reasons += said;
        }
        assumeTrue(false, "no tmpfs can be mounted for a process of its own: " + reasons);
        return List.of();
    }

    /** What a command prints, of which the first words are given as a list. */
    static String outputOf(List<String> prefix, String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(LIMIT);
        words.addAll(prefix);
        words.addAll(List.of(command));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}

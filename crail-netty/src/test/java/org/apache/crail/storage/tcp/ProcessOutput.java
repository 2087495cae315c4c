/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs other programs, each for a minute at most. Stateless. */
final class ProcessOutput {
    private static final List<String> LIMIT = List.of("timeout", "--kill-after=5", "60");

    private ProcessOutput() {}

    /** What a command prints, of which the first words are given as a list. */
    static String of(List<String> prefix, String... command) throws IOException, InterruptedException {
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

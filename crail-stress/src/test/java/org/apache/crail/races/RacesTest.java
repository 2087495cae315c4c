/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.openjdk.jcstress.Main;

/**
 * Structures without locks, by jcstress, which runs their steps in several threads again and again, and counts what
 * came out. If {@code races.each} is true, steps are interpreted and compiled in all ways that the JVM has.
 */
@Tag("jcstress")
class RacesTest {
    private static final boolean EACH_WAY = Boolean.getBoolean("races.each");

    /** The compiler that reorders most. */
    private static final List<String> C2_ONLY = List.of("-jvmArgs", "-XX:-TieredCompilation", "-sc", "false");

    private static final List<String> ALL_WAYS = List.of("-fsm", "1");

    private static final int MOST_MINUTES = 25;
    private static final Path WORK = Path.of("target", "races");

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS, threadMode = ThreadMode.SAME_THREAD) // as long as was asked for
    void shouldHaveNoForbiddenOutcome() throws Exception {
        Files.createDirectories(WORK);
        Path log = WORK.resolve("log");
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                absolute(System.getProperty("java.class.path")),
                Main.class.getName()));
        command.addAll(List.of("-strideSize", String.valueOf(Strides.SIZE)));
        command.addAll(List.of("-strideCount", String.valueOf(Strides.COUNT)));
        command.addAll(List.of("-f", "1", "-iters", "1", "-time", EACH_WAY ? "200" : "500"));
        command.addAll(EACH_WAY ? ALL_WAYS : C2_ONLY);
        Process races = new ProcessBuilder(command)
                .directory(WORK.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(races.waitFor(MOST_MINUTES, TimeUnit.MINUTES))
                    .as("ended, see %s", log)
                    .isTrue();
        } finally {
            races.destroyForcibly().waitFor();
        }
        String told = Files.readString(log);
        assertThat(races.exitValue()).as("exit code. %s", told).isZero();
        assertThat(told).contains("RUN RESULTS", "Failed tests: No matches", "Error tests: No matches");
        assertThat(told).doesNotContain("FAILED]", "ERROR]", "TIMEOUT]");
    }

    /** A class path that holds in another directory. */
    private static String absolute(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}

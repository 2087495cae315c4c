/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.Jazzer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.crail.fuzz.AnyTarget.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Decoders of foreign bytes: any input gives a value or the decoder's typed error, soon and in little memory. Jazzer
 * makes inputs up in a JVM of its own: for all targets together, which warms up once, or for each if {@code fuzz.each}
 * is true. {@code fuzz.seconds} says for how long.
 */
@Tag("fuzz")
class FuzzTest {
    private static final List<Target> TARGETS = AnyTarget.ALL;
    private static final int SECONDS = Integer.getInteger("fuzz.seconds", 30);
    private static final int MOST_SECONDS_EACH = 300;
    private static final int MOST_SECONDS_MORE = 600;
    private static final Path CORPUS = Path.of("src", "test", "corpus");
    private static final Path WORK = Path.of("target", "fuzz");

    @TempDir
    private Path seeds;

    @ParameterizedTest
    @FieldSource("TARGETS")
    void shouldTakeWhatIsInTheCorpus(Target target) throws Exception {
        List<Path> inputs = corpus(target);
        assertThat(inputs).isNotEmpty();
        for (Path input : inputs) {
            try {
                target.method().accept(Files.readAllBytes(input));
            } catch (RuntimeException | Error e) {
                throw new AssertionError(input.toString(), e);
            }
        }
    }

    private static List<Path> corpus(Target target) throws IOException {
        try (Stream<Path> files = Files.list(CORPUS.resolve(target.toString()))) {
            return files.sorted().toList();
        }
    }

    static Stream<Class<?>> fuzzed() {
        return Boolean.getBoolean("fuzz.each") ? TARGETS.stream().map(Target::type) : Stream.of(AnyTarget.class);
    }

    @ParameterizedTest
    @MethodSource("fuzzed")
    @Timeout(value = 1, unit = TimeUnit.DAYS, threadMode = ThreadMode.SAME_THREAD) // as long as was asked for
    void shouldTakeWhatIsMadeUp(Class<?> type) throws Exception {
        Path work = Files.createDirectories(WORK.resolve(type.getSimpleName()));
        Path log = work.resolve("log");
        Process fuzzer = new ProcessBuilder(command(type, work))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(fuzzer.waitFor(SECONDS + MOST_SECONDS_MORE, TimeUnit.SECONDS))
                    .as("ended, see %s", log)
                    .isTrue();
        } finally {
            fuzzer.destroyForcibly().waitFor();
        }
        String told = Files.readString(log, StandardCharsets.ISO_8859_1);
        assertThat(fuzzer.exitValue())
                .as("exit code; the input is in %s, to be kept in %s when it is mended. %s", work, CORPUS, told)
                .isZero();
        assertThat(told).contains("INITED", "DONE");
    }

    private List<String> command(Class<?> type, Path work) throws IOException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of(
                "-Xmx512m",
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                System.getProperty("java.class.path"),
                Jazzer.class.getName(),
                "--target_class=" + type.getName(),
                "--instrumentation_includes=org.apache.crail.**",
                "--custom_hook_includes=org.apache.crail.**",
                "--reproducer_path=" + work,
                "-artifact_prefix=" + work + "/",
                "-max_total_time=" + SECONDS,
                "-timeout=" + MOST_SECONDS_EACH,
                "-print_final_stats=1",
                // the gate begins with the same inputs each time; 0 lets libFuzzer choose a seed by chance
                type == AnyTarget.class ? "-seed=1" : "-seed=0",
                Files.createDirectories(work.resolve("found")).toString(),
                seeds(type).toString()));
        return command;
    }

    /** What is in the corpora; for all targets together with their numbers. */
    private Path seeds(Class<?> type) throws IOException {
        if (type != AnyTarget.class) {
            return CORPUS.resolve(type.getSimpleName());
        }
        for (int i = 0; i < TARGETS.size(); i++) {
            for (Path input : corpus(TARGETS.get(i))) {
                byte[] bytes = Files.readAllBytes(input);
                byte[] numbered = new byte[1 + bytes.length];
                numbered[0] = (byte) i;
                System.arraycopy(bytes, 0, numbered, 1, bytes.length);
                Files.write(seeds.resolve(i + "-" + input.getFileName()), numbered);
            }
        }
        return seeds;
    }
}

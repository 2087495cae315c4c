/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tests for a device, run with a simulated one, so that they run on any machine: in a JVM of its own, whose library
 * is linked with the simulation and, where the compiler has it, AddressSanitizer. The simulation ends the JVM where the
 * real libraries would hang, and the sanitizer where they would use freed memory.
 */
final class SimulatedDeviceTest {
    private static final int TIME_LIMIT_S = 300;
    private static final List<Class<?>> TESTS = List.of(
            RdmaTransferTest.class,
            RdmaConnectTest.class,
            RdmaCloseTest.class,
            RdmaLeakTest.class,
            RdmaEndpointTest.class,
            SimulatedFailures.class);

    @TempDir
    Path temporary;

    @TestFactory
    @Timeout(TIME_LIMIT_S + 60)
    Stream<DynamicTest> shouldPassOnASimulatedDevice() throws Exception {
        return run(TESTS, Map.of()).stream();
    }

    @TestFactory
    @Timeout(TIME_LIMIT_S + 60)
    Stream<DynamicTest> shouldLeaveNothingWhenMemoryRunsOut() throws Exception {
        return run(List.of(SimulatedExhaustion.class), Map.of()).stream();
    }

    @TestFactory
    @Timeout(TIME_LIMIT_S + 60)
    Stream<DynamicTest> shouldAnswerDisconnectsWhereTold() throws Exception {
        return run(List.of(SimulatedSwitches.class), Map.of(SimulatedSwitches.FLUSH_ON_DISCONNECT, "1")).stream();
    }

    @TestFactory
    @Timeout(TIME_LIMIT_S + 60)
    Stream<DynamicTest> shouldShowEventsWhereTold() throws Exception {
        List<DynamicTest> tests = run(
                List.of(SimulatedSwitches.class), Map.of(SimulatedSwitches.RAW_EVENTS, "1", "CRAIL_VERBS_DEBUG", "1"));
        tests.add(DynamicTest.dynamicTest("events are written", () -> assertThat(temporary.resolve("output"))
                .content()
                .contains("crail-verbs: event RDMA_CM_EVENT_REJECTED, status 8")));
        return tests.stream();
    }

    /** Skipped, so that it is seen, where the other tests here can not tell of misused memory. */
    @Test
    void shouldHaveTheSanitizer() throws Exception {
        Path sanitizer = sanitizerOf(simulation());
        assumeTrue(Files.exists(sanitizer), "the compiler has no libasan.so: tests run without AddressSanitizer");
        assertThat(Path.of(Files.readString(sanitizer))).isAbsolute().isRegularFile();
    }

    private List<DynamicTest> run(List<Class<?>> classes, Map<String, String> environment) throws Exception {
        Path library = simulation();
        Path results = temporary.resolve("results");
        Path output = temporary.resolve("output");
        Process process = start(library, results, output, classes, environment);
        boolean ended = process.waitFor(TIME_LIMIT_S, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        List<DynamicTest> tests = new ArrayList<>();
        for (String line : Files.exists(results) ? Files.readAllLines(results) : List.<String>of()) {
            String[] parts = line.split("\t", 2);
            tests.add(DynamicTest.dynamicTest(
                    shortened(parts[0]), () -> assertThat(parts[1]).isEqualTo("ok")));
        }
        tests.add(DynamicTest.dynamicTest("the JVM ended well", () -> {
            String said = Files.readString(output);
            assertThat(said)
                    .doesNotContain("ERROR: AddressSanitizer", "runtime error", "FATAL ERROR", "WARNING in native");
            assertThat(ended).as("ended in time: %s", said).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
        }));
        assertThat(tests).hasSizeGreaterThan(1);
        return tests;
    }

    private static Path simulation() {
        Natives.assumeBuilt();
        Path target = Path.of(System.getProperty("java.library.path").split(":", 2)[0], "../../../..");
        Path library = target.resolve("native-test/simulated").normalize();
        assumeTrue(Files.exists(library.resolve("libdisni.so")), "the simulation was not built: " + library);
        return library;
    }

    /** The file with the path of the sanitizer's library. */
    private static Path sanitizerOf(Path library) {
        return library.resolve("sanitizer");
    }

    private static Process start(
            Path library, Path results, Path output, List<Class<?>> classes, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "ulimit -S -l " + Simulation.MEMLOCK_KIB + " && exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xcheck:jni",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "-D" + Simulation.PROPERTY + "=true",
                "-Djava.library.path=" + library,
                "-cp",
                System.getProperty("java.class.path"),
                SimulationMain.class.getName(),
                results.toString()));
        classes.forEach(test -> command.add(test.getName()));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("CRAIL_VERBS_CONNECT_TIMEOUT_MS", "5000");
        builder.environment().putAll(environment);
        Path sanitizer = sanitizerOf(library);
        if (Files.exists(sanitizer)) {
            builder.environment().put("LD_PRELOAD", Files.readString(sanitizer));
            // The JVM uses SIGSEGV itself, and what it leaves allocated at its end is its own affair. Little freed
            // memory is kept from being used again, since a test measures growth.
            builder.environment()
                    .put("ASAN_OPTIONS", "handle_segv=0:allow_user_segv_handler=1:detect_leaks=0:quarantine_size_mb=4");
        }
        return builder.start();
    }

    /** The last two parts of an id of JUnit: class and method. */
    private static String shortened(String id) {
        return id.replaceAll("^.*\\[class:org\\.apache\\.crail\\.verbs\\.", "").replaceAll("]/\\[[-a-z]*:", " ");
    }
}

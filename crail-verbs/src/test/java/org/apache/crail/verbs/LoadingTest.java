/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.RdmaVerbs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the library is found, in JVMs of their own with different library and class paths. */
final class LoadingTest {
    private static final String EXPORTS = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

    @TempDir
    Path temporary;

    private final Path nativeDirectory =
            Path.of(System.getProperty("java.library.path").split(":", 2)[0]);

    /** The root of what the platform jar holds. */
    private final String platformJar =
            nativeDirectory.getParent().getParent().getParent().toString();

    @Test
    void shouldFindTheLibraryOnTheLibraryPath() throws Exception {
        Natives.assumeBuilt();
        assertThat(run(classPath(), EXPORTS, "-Djava.library.path=" + nativeDirectory))
                .contains("version 32");
    }

    @Test
    void shouldTakeTheLibraryFromThePlatformJarAndLeaveNoFile() throws Exception {
        Natives.assumeBuilt();
        assertThat(run(classPath() + File.pathSeparator + platformJar, EXPORTS, "-Djava.library.path=/nonexistent"))
                .contains("version 32");
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left.filter(file -> file.getFileName().toString().startsWith("crail-verbs")))
                    .isEmpty();
        }
    }

    @Test
    void shouldSayWhereTheLibraryIsLookedFor() throws Exception {
        assertThat(run(classPath(), EXPORTS, "-Djava.library.path=/nonexistent"))
                .contains("RDMA needs the native library libdisni.so")
                .contains("java.library.path=/nonexistent")
                .contains("put crail-verbs-VERSION-" + VerbsLibrary.platform() + ".jar on the class path");
    }

    @Test
    void shouldSayThatAFileIsNoLibraryOfThisPlatform() throws Exception {
        Files.writeString(temporary.resolve("libdisni.so"), "no library");
        assertThat(run(classPath(), EXPORTS, "-Djava.library.path=" + temporary))
                .contains(temporary.resolve("libdisni.so").toString())
                .contains("put the library of this platform in its place");
    }

    @Test
    void shouldAskForTheMissingFlag() throws Exception {
        Natives.assumeBuilt();
        assertThat(run(classPath(), "-Djava.library.path=" + nativeDirectory))
                .contains("--add-exports java.base/sun.nio.ch=ALL-UNNAMED");
    }

    @Test
    void shouldAskToBeCalledFirstWhereDisniHasFailedBefore() throws Exception {
        assertThat(run(classPath(), EXPORTS, "-Djava.library.path=/nonexistent", "-Duse.disni.first=true"))
                .contains("RDMA needs the native library");
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private String run(String classPath, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xcheck:jni",
                "-Djava.io.tmpdir=" + temporary));
        Collections.addAll(command, options);
        Collections.addAll(command, "-cp", classPath, Program.class.getName());
        Path output = temporary.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.waitFor();
        String said = Files.readString(output);
        assertThat(said).doesNotContain("FATAL ERROR", "WARNING in native method");
        return said;
    }

    /** What an application does. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            if (Boolean.getBoolean("use.disni.first")) {
                tryDisni();
            }
            say("cause " + NativeVerbs.unavailabilityCause());
            tryDisni();
        }

        private static void tryDisni() {
            try {
                say("version " + RdmaVerbs.getVersion());
            } catch (LinkageError e) {
                say("DiSNI failed: " + e);
            }
        }

        @SuppressWarnings("SystemOut")
        private static void say(String line) {
            System.out.println(line);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.cold;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ColdClassPathTest {
    @TempDir
    private Path directory;

    private String used;
    private String unused;
    private String nativeCode;
    private ColdClassPath classPath;

    @BeforeEach
    void makeJars() throws IOException {
        used = jar("used one.jar", "org/example/Used.class");
        unused = jar("unused.jar", "org/example/Unused.class");
        nativeCode = jar("native.jar", "META-INF/native/code.so");
        classPath = new ColdClassPath(String.join(File.pathSeparator, unused, nativeCode, used));
    }

    @Test
    void shouldHaveAllLibrariesUntilItKnowsWhatIsLoaded() throws IOException {
        assertThat(classPath.text().split(File.pathSeparator)).containsExactly(unused, nativeCode, used);
    }

    @Test
    void shouldKeepWhatIsLoadedAndWhatHasNoClasses() throws IOException {
        Path log = directory.resolve("log");
        Files.write(
                log,
                List.of(
                        "java.lang.Object source: shared objects file",
                        "org.example.Used source: " + Path.of(used).toUri(),
                        "org.example.Used$$Lambda$1 source: org.example.Used"));
        classPath.learn(log);

        assertThat(classPath.text().split(File.pathSeparator)).containsExactly(nativeCode, used);
    }

    @Test
    void shouldLeaveOutWhatWritesLogs() throws IOException {
        String logs = jar("logback-classic-1.jar", "org/example/Log.class");
        classPath = new ColdClassPath(String.join(File.pathSeparator, logs, used));
        Path log = directory.resolve("log");
        Files.write(
                log,
                List.of(
                        "org.example.Used source: " + Path.of(used).toUri(),
                        "org.example.Log source: " + Path.of(logs).toUri()));
        classPath.learn(log);

        assertThat(classPath.text()).isEqualTo(used);
    }

    private String jar(String name, String entry) throws IOException {
        Path jar = directory.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry(entry));
        }
        return jar.toString();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles a program against a class path of its own and runs it in a JVM of its own, as its user would. */
final class CompiledProgram {
    private static final long LIMIT_S = 110;

    private final Path work;
    private final String mainClass;

    private CompiledProgram(Path work, String mainClass) {
        this.work = work;
        this.mainClass = mainClass;
    }

    /** Compiles one source file. */
    static CompiledProgram compile(Path source, String classPath, Path work) throws Exception {
        Path classes = Files.createDirectories(work.resolve("program"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of("-d", classes.toString(), "-cp", classPath, "-proc:none", "-Xlint:none");
            boolean compiled = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
        String name = source.getFileName().toString();
        return new CompiledProgram(work, name.substring(0, name.length() - ".java".length()));
    }

    /** Writes the configuration of a cluster where programs look for it; answers CRAIL_HOME. */
    static Path writeHome(MiniCluster cluster, Path home) throws Exception {
        Path conf = Files.createDirectories(home.resolve("conf"));
        Map<String, String> values = new TreeMap<>(cluster.configuration().asMap());
        values.remove("crail.singleton");
        // A JVM that has just started, on a busy machine, takes its time to connect.
        values.put("crail.connecttimeout", "60s");
        List<String> lines = new ArrayList<>();
        values.forEach((key, value) -> lines.add(key + " " + value));
        Files.write(conf.resolve("crail-site.conf"), lines);
        return home;
    }

    /** Runs the program on the class path of this JVM; answers what it printed. */
    String run(Path crailHome) throws Exception {
        Path output = work.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                work.resolve("program") + File.pathSeparator + System.getProperty("java.class.path"),
                mainClass);
        Map<String, String> environment = builder.environment();
        environment.put("CRAIL_HOME", crailHome.toString());
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
            String printed = Files.readString(output);
            assertThat(ended).as("ended in time; printed: %s", printed).isTrue();
            assertThat(process.exitValue()).as(printed).isZero();
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }
}

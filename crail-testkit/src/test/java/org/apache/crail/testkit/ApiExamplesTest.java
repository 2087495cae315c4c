/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of docs/api.md compile as they are written there, and print what their comments say. The first block has
 * the imports; of the others, the one that opens a store at an address that is nobody's is not run. Those of the
 * Javadoc compile and run with the same imports.
 */
@Timeout(240)
final class ApiExamplesTest {
    private static final Pattern BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern JAVADOC_BLOCK = Pattern.compile("<pre>\\{@code\\n(.*?) \\* \\}</pre>", Pattern.DOTALL);
    private static final Pattern PRINTED = Pattern.compile("println\\(.*\\); +// (.*)");

    @TempDir
    Path work;

    @Test
    void shouldRunTheExamplesOfThePageForProgrammers() throws Exception {
        List<String> blocks = groups(BLOCK, Files.readString(Path.of("..", "docs", "api.md")));
        Path source = Files.writeString(work.resolve("Examples.java"), program(blocks));
        CompiledProgram compiled = CompiledProgram.compile(source, System.getProperty("java.class.path"), work);

        List<String> expected = blocks.stream()
                .filter(ApiExamplesTest::isRun)
                .flatMap(block -> groups(PRINTED, block).stream())
                .toList();
        assertThat(expected).as("what the comments behind println say").hasSize(6);

        try (MiniCluster cluster = start()) {
            assertThat(compiled.run(CompiledProgram.writeHome(cluster, work)).lines())
                    .containsSubsequence(expected);
            assertThat(cluster.checkBlocks().nodes()).isEqualTo(1);
        }
    }

    @Test
    void shouldRunTheExamplesOfTheJavadoc() throws Exception {
        List<String> blocks = new ArrayList<>();
        blocks.add(
                groups(BLOCK, Files.readString(Path.of("..", "docs", "api.md"))).get(0));
        for (String type : List.of("CrailStore", "CrailTable")) {
            Path source = Path.of("..", "crail-api", "src", "main", "java", "org", "apache", "crail", type + ".java");
            groups(JAVADOC_BLOCK, Files.readString(source))
                    .forEach(block -> blocks.add(block.replaceAll("(?m)^ \\* ", "")));
        }
        assertThat(blocks).as("imports, and an example of each class").hasSize(3);
        Path source = Files.writeString(work.resolve("Examples.java"), program(blocks));
        CompiledProgram compiled = CompiledProgram.compile(source, System.getProperty("java.class.path"), work);

        try (MiniCluster cluster = start()) {
            assertThat(compiled.run(CompiledProgram.writeHome(cluster, work))).doesNotContain("Exception");
        }
    }

    private static MiniCluster start() throws Exception {
        return MiniCluster.builder(ClusterKind.SOCKETS)
                .blocksPerDatanode(1024)
                .with("crail.storage.keepalive", Patience.ofMs(1_000)) // none is lost, however slow the machine is
                .start();
    }

    private static String program(List<String> blocks) {
        StringBuilder text =
                new StringBuilder(blocks.get(0)).append("class Examples {\n    static CrailStore store;\n");
        StringBuilder calls = new StringBuilder();
        for (int i = 1; i < blocks.size(); i++) {
            text.append("static void example%d() throws Exception {\n%s}\n".formatted(i, blocks.get(i)));
            calls.append(isRun(blocks.get(i)) ? "example" + i + "();\n" : "");
        }
        return text + "public static void main(String[] args) throws Exception {\n"
                + "store = CrailStore.newInstance(CrailConfiguration.createDefaultConfiguration());\n" + calls
                + "store.close();\n}\n}\n";
    }

    private static boolean isRun(String block) {
        return !block.contains("crail://namenode.example");
    }

    private static List<String> groups(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }
}

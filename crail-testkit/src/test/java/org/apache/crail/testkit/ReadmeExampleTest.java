/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of the README compiles and runs as it is written there. */
@Timeout(240)
final class ReadmeExampleTest {
    private static final Pattern EXAMPLE = Pattern.compile("```java\\n(.*?class Example.*?)```", Pattern.DOTALL);

    @TempDir
    Path work;

    @Test
    void shouldRunTheExampleOfTheReadme() throws Exception {
        Matcher example = EXAMPLE.matcher(Files.readString(Path.of("..", "README.md")));
        assertThat(example.find())
                .as("README.md has a java block with class Example")
                .isTrue();
        Path source = Files.writeString(work.resolve("Example.java"), example.group(1));
        CompiledProgram compiled = CompiledProgram.compile(source, System.getProperty("java.class.path"), work);

        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS).start()) {
            assertThat(compiled.run(CompiledProgram.writeHome(cluster, work))).contains("Hello, Crail");
            assertThat(cluster.checkBlocks().nodes()).isEqualTo(1);
        }
    }
}

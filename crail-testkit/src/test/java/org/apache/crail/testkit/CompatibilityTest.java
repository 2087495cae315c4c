/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Programs that were compiled against Crail 1.1 and 1.2 run as they are. The build puts those releases below
 * target/compat.
 */
@Timeout(240)
final class CompatibilityTest {
    @TempDir
    Path work;

    @ParameterizedTest
    @CsvSource({"1.1, Program11", "1.1, Client11", "1.2, Program12", "1.2, Client12"})
    void shouldRunProgramsCompiledAgainstOldReleases(String version, String program) throws Exception {
        assertThat(runOnACluster(version, program)).contains("compatible with " + version);
    }

    private String runOnACluster(String version, String program) throws Exception {
        Path source = Path.of("src", "compat", version, program + ".java");
        CompiledProgram compiled = CompiledProgram.compile(source, published(version), work);
        try (MiniCluster cluster =
                MiniCluster.builder(ClusterKind.SOCKETS).blocksPerDatanode(256).start()) {
            String printed = compiled.run(CompiledProgram.writeHome(cluster, work));
            cluster.checkBlocks();
            return printed;
        }
    }

    private static String published(String version) throws Exception {
        Path directory = Path.of("target", "compat", version);
        try (Stream<Path> jars = Files.list(directory)) {
            return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client loads that has just been started, and so pays for before it has done anything. */
class FreshClientTest {
    /**
     * What the JVM calls to put an equals, a hashCode or a choice together of method handles. Each place costs about a
     * millisecond when it is first reached, and is slow until it is compiled.
     */
    private static final Pattern PUT_TOGETHER =
            Pattern.compile("java.lang.runtime.(ObjectMethods|SwitchBootstraps) .*");

    @TempDir
    private Path work;

    @Test
    void shouldNotPutMethodsTogetherWhenAClientPutsGetsCreatesAndLists() throws Exception {
        Path log = work.resolve("classes");
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.MAPPED).start()) {
            Process client = ClusterProcess.start(
                    List.of("-Xlog:class+load=info:file=" + log + ":none"), FreshClient.class, cluster, work);
            assertThat(client.waitFor()).as("exit code").isZero();
        }
        List<String> loaded = Files.readAllLines(log);
        assertThat(loaded)
                .as("a copy within the host")
                .anyMatch(line -> line.startsWith("org.apache.crail.local.block.LocalRegion$Outcome "));
        assertThat(loaded)
                .filteredOn(line -> PUT_TOGETHER.matcher(line).matches())
                .isEmpty();
    }
}

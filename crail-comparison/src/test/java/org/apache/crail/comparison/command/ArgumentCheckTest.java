/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.command;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.peers.Systems;
import org.apache.crail.comparison.works.Effort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ArgumentCheckTest {
    @TempDir
    private Path directory;

    @Test
    void shouldRefuseKeysThatItSetsByItself() {
        assertThatCode(() -> ArgumentCheck.checkSettings(List.of("crail.buffersize")))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentCheck.checkSettings(List.of("crail.tokenexpiration")))
                .withMessageContaining("--conf crail.tokenexpiration");
    }

    @Test
    void shouldRefuseClassesThatAreNoSystems() {
        for (String name : List.of("no.such.Class", "java.lang.String", Peer.class.getName())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Systems.all(Effort.QUICK, List.of(name), Map.of()))
                    .withMessageStartingWith(name + " is no system: ");
        }
    }

    @Test
    void shouldRefuseTwoSystemsOfOneName() {
        String theirs = ComparisonTest.Theirs.class.getName();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Systems.all(Effort.QUICK, List.of(theirs, theirs), Map.of()))
                .withMessageStartingWith("two systems are called theirs");
    }

    @Test
    void shouldRefuseDirectoriesInWhichSocketsOrDataHaveNoRoom() throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentCheck.checkDirectory(directory.resolve("missing"), 0))
                .withMessageContaining("is no directory that can be written");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentCheck.checkDirectory(directory, Long.MAX_VALUE))
                .withMessageContaining("MiB are needed; compare fewer systems");
        Path deep = Files.createDirectory(directory.resolve("a".repeat(106)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentCheck.checkDirectory(deep, 0))
                .withMessageContaining("too long for the Unix domain sockets");
    }

    @Test
    void shouldRefuseFilesThatCannotBeWritten() {
        assertThatCode(() -> ArgumentCheck.checkOutput("--json", directory.resolve("new.json")))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentCheck.checkOutput("--json", directory.resolve("missing/new.json")))
                .withMessageStartingWith("--json ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentCheck.checkOutput("--svg", directory))
                .withMessageStartingWith("--svg ");
    }
}

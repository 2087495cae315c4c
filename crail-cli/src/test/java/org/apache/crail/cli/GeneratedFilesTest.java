/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.crail.conf.CrailConfiguration;
import org.junit.jupiter.api.Test;

/** The files in the repository that are printed from the declared keys. */
class GeneratedFilesTest {
    private static Path repository() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("crail-cli"))) {
            directory = directory.getParent();
        }
        return directory;
    }

    private static void assertCurrent(String file, String option) {
        String printed = CommandRun.of(CrailConfiguration.createEmptyConfiguration(), "getconf", option)
                .ok()
                .out();

        assertThat(repository().resolve(file))
                .as("%s is not what the keys say; run: bin/crail getconf %s > %s", file, option, file)
                .hasContent(printed);
    }

    @Test
    void shouldHaveTheCurrentTemplate() {
        assertCurrent("conf/crail-site.conf", "--template");
    }

    @Test
    void shouldHaveTheCurrentPageOfDocumentation() {
        assertCurrent("docs/configuration.md", "--docs");
    }
}

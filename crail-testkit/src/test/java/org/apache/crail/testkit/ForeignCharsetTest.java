/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ForeignCharsetTest {
    /** D37: names are UTF-8, whatever the platform's character set is; clients and servers have another one here. */
    @Test
    void shouldKeepNamesWhereThePlatformsCharsetCannotTellThemApart() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dfile.encoding=" + StandardCharsets.ISO_8859_1,
                        "-cp",
                        System.getProperty("java.class.path"),
                        ForeignCharset.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(process.waitFor()).as(said).isZero();
    }
}

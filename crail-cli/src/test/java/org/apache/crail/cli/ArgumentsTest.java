/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private static byte[] commandLine(Charset charset, String... words) {
        return (String.join("\0", words) + "\0").getBytes(charset);
    }

    @Test
    void shouldAcceptWhatIsText() {
        assertThat(Arguments.problem()).isEmpty();
        assertThat(Arguments.problem("fs", "-touchz", "/gr\u00f6\u00dfe")).isEmpty();
    }

    @Test
    void shouldAcceptAReplacementCharacterThatTheUserWrote() {
        byte[] raw = commandLine(StandardCharsets.UTF_8, "java", "Crail", "fs", "-rm", "/gr\uFFFD");
        assertThat(Arguments.problem(raw, "fs", "-rm", "/gr\uFFFD")).isEmpty();
    }

    @Test
    void shouldRefuseBytesThatAreNotUtf8() {
        byte[] raw = commandLine(StandardCharsets.ISO_8859_1, "java", "Crail", "fs", "-rm", "/caf\u00e9");
        assertThat(Arguments.problem(raw, "fs", "-rm", "/caf\uFFFD").orElseThrow())
                .contains("argument /caf\uFFFD is no text", "LC_ALL");
    }

    @Test
    void shouldRefuseTextThatTheLocaleDoesNotHave() {
        byte[] raw = commandLine(StandardCharsets.UTF_8, "java", "Crail", "fs", "-rm", "/gr\u00f6");
        assertThat(Arguments.problem(raw, "fs", "-rm", "/gr\uFFFD\uFFFD")).isPresent();
        assertThat(Arguments.problem(new byte[0], "fs", "-rm", "/gr\uFFFD\uFFFD"))
                .isPresent();
    }
}

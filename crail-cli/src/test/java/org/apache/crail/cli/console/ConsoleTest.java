/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsoleTest {
    @AfterEach
    void clear() {
        System.clearProperty(Console.TERMINAL);
    }

    /** Standard input and output of a test are none, as those of {@code crail fs -put - /f <file}. */
    @Test
    void shouldBeATerminalIfTheLauncherSaysSo() {
        System.setProperty(Console.TERMINAL, "true");

        assertThat(Console.system().isTerminal()).isTrue();
    }

    @Test
    void shouldShowControlCharactersOfNamesOnATerminalOnly() {
        assertThat(printed(true)).isEqualTo("/a?[31m?b\n/a?[31m\n?b\n");
        assertThat(printed(false)).isEqualTo("/a\u001b[31m\u0000b\n/a\u001b[31m\n\u0000b\n");
    }

    private static String printed(boolean isTerminal) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        Console console = Console.of(InputStream.nullInputStream(), both, both, isTerminal);
        console.line("/a\u001b[31m\u0000b");
        console.error("/a\u001b[31m\n\u0000b");
        return both.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldBeNoTerminalOtherwise() {
        assertThat(Console.system().isTerminal()).isFalse();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** As of a disk that is full, or a reader that has gone. */
    @ParameterizedTest
    @CsvSource({
        "No space left on device, cannot write to standard output: No space left on device",
        "Broken pipe, standard output has been closed by whoever read it"
    })
    void shouldSayWhyResultsWentNowhere(String reason, String message) throws Exception {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException(reason);
            }
        };
        Console console = Console.of(InputStream.nullInputStream(), broken, OutputStream.nullOutputStream(), false);
        console.checkOut();

        console.line("text");

        assertThatThrownBy(console::checkOut).isInstanceOf(IOException.class).hasMessage(message);
        assertThatThrownBy(() -> console.outChannel().write(ByteBuffer.wrap(new byte[1])))
                .hasMessage(message);
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

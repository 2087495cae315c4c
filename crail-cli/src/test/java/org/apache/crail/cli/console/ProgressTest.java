/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.stream.Stream;
import org.apache.crail.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
    private static final String ERASE = "\r\u001b[K";

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldDrawABarOnATerminalAndEraseItInTheEnd() throws Exception {
        try (Progress progress = Progress.start(console(true), true)) {
            progress.expect(4096);
            progress.allExpected();
            progress.accept(1024);
            Await.until("the bar is drawn", () -> drawn().contains(" 25 % [=======    "));
            assertThat(drawn()).contains("1 KiB of 4 KiB");
        }

        assertThat(drawn()).endsWith(ERASE);
    }

    @ParameterizedTest
    @CsvSource({"false, true", "true, false"})
    void shouldDrawNothingWhereNobodyLooks(boolean terminal, boolean wanted) throws Exception {
        try (Progress progress = Progress.start(console(terminal), wanted)) {
            progress.expect(1);
            Await.until("no thread draws, nor any of the test before", () -> threads()
                    .noneMatch("progress"::equals));
        }

        assertThat(drawn()).isEmpty();
    }

    @Test
    void shouldShowProgressInOneLine() {
        assertThat(Progress.line(true, 512, 1024, 1, 3, 1_000_000_000L))
                .isEqualTo(" 50 % [===============               ] 512 B of 1 KiB, 512 B/s; 1 of 3 files");
        assertThat(Progress.line(true, 0, 0, 0, 0, 0)).contains("  0 %");
        assertThat(Progress.line(true, 0, 0, 1, 4, 0)).contains(" 25 %");
    }

    @Test
    void shouldShowNoShareAsLongAsFilesAreFound() {
        assertThat(Progress.line(false, 512, 1024, 1, 3, 1_000_000_000L)).isEqualTo("512 B, 512 B/s; 1 files");
    }

    private static Stream<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName);
    }

    private Console console(boolean terminal) {
        return Console.of(InputStream.nullInputStream(), OutputStream.nullOutputStream(), err, terminal);
    }

    private String drawn() {
        return err.toString(UTF_8);
    }
}

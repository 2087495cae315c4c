/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void shouldKeepColumnsWhateverTheNames() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TextTable table = new TextTable("NAME", "N");
        table.row("a\nb\u001b[31m", 1);
        table.row("\u6f22\u5b57", 2);
        table.row("e\u0301", 3);

        table.print(Console.of(InputStream.nullInputStream(), out, OutputStream.nullOutputStream(), false));

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("NAME      N", "a?b?[31m  1", "\u6f22\u5b57      2", "e\u0301         3");
    }
}

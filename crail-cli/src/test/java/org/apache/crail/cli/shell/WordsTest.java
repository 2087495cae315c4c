/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
    static List<Arguments> lines() {
        return List.of(
                Arguments.of("", List.of()),
                Arguments.of("  ls\t-R  / ", List.of("ls", "-R", "/")),
                Arguments.of("rm 'a b' \"c d\"", List.of("rm", "a b", "c d")),
                Arguments.of("rm a\\ b", List.of("rm", "a b")),
                Arguments.of("rm 'a\\*' \"b\\*\" c\\\\*", List.of("rm", "a\\*", "b\\*", "c\\*")),
                Arguments.of("rm \"a\\\"b\" 'c\"d'", List.of("rm", "a\"b", "c\"d")),
                Arguments.of("rm a'b'\"c\"d ''", List.of("rm", "abcd", "")),
                Arguments.of("# comment", List.of()),
                Arguments.of("ls /a#b # comment", List.of("ls", "/a#b")),
                Arguments.of("ls '#'", List.of("ls", "#")),
                Arguments.of("ls /gr\u00f6\u00dfe\r", List.of("ls", "/gr\u00f6\u00dfe")));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void shouldSplitLinesAsAShellDoes(String line, List<String> words) {
        assertThat(Words.of(line)).isEqualTo(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls 'a", "ls \"a", "ls 'a\""})
    void shouldRefuseAQuoteThatIsNotClosed(String line) {
        assertThatThrownBy(() -> Words.of(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the quote " + line.charAt(3) + " is not closed: " + line);
    }

    @Test
    void shouldTakeALastBackslashLiterally() {
        assertThat(Words.of("ls a\\")).containsExactly("ls", "a\\");
    }
}

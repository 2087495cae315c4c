/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.crail.error.InvalidPathException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "* anything true",
                "* .hidden true",
                "a*c abc true",
                "a*c abcd false",
                "?? ab true",
                "?? abc false",
                "[a-c]x bx true",
                "[a-c]x dx false",
                "[^a-c]x dx true",
                "[^a-c]x ax false",
                "[!a-c]x dx true",
                "[.$]x $x true",
                "[a\\]]x ]x true",
                "a.c abc false",
                "a(b)+|$ a(b)+|$ true",
                "{ab,cd}e cde true",
                "{ab,c{d,f}}e cfe true",
                "{ab,c{d,f}}e ce false",
                "a\\*c a*c true",
                "a\\*c abc false",
                "a\\{b,c} a{b,c} true",
                "gr\u00f6\u00df* gr\u00f6\u00dfe true",
                "A* abc false"
            })
    void shouldMatchByTheRulesOfHadoop(String pattern, String name, boolean isMatch) throws Exception {
        assertThat(Glob.names(pattern, false).test(name)).isEqualTo(isMatch);
    }

    @Test
    void shouldMatchWhateverTheCaseWhenAsked() throws Exception {
        assertThat(Glob.names("A?c", true)).accepts("abC").rejects("ab");
    }

    @Test
    void shouldTellPatternsFromPaths() {
        assertThat(Glob.isPattern("/a*")).isTrue();
        assertThat(Glob.isPattern("/a\\*")).isFalse();
        assertThat(Glob.literal("/a\\*\\\\b")).isEqualTo("/a*\\b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[a", "{a", "a{b,{c}", "[z-a]", "[]"})
    void shouldSayWhatIsWrongWithAPattern(String pattern) {
        assertThatThrownBy(() -> Glob.names(pattern, false))
                .isInstanceOf(InvalidPathException.class)
                .hasMessageStartingWith("pattern " + pattern + " is wrong: ");
    }
}

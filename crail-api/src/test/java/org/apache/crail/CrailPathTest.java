/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.crail.error.InvalidPathException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrailPathTest {
    @Test
    void shouldRefuseBytesThatAreNoUtf8() {
        for (byte[] raw :
                new byte[][] {{'/', (byte) 0xff}, {'a', (byte) 0xc3}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}}) {
            assertThatThrownBy(() -> CrailPath.ofUtf8(raw))
                    .isInstanceOf(InvalidPathException.class)
                    .hasMessageContaining("UTF-8");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "/a/b", "/a//b/", "//a/b//"})
    void shouldIgnoreLeadingTrailingAndDoubleSlashes(String text) throws Exception {
        CrailPath path = CrailPath.parse(text);
        assertThat(path).hasToString("/a/b").isEqualTo(CrailPath.parse("/a/b"));
        assertThat(path.components()).containsExactly("a", "b");
        assertThat(path.depth()).isEqualTo(2);
        assertThat(path.utf8()).isEqualTo("/a/b".getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "//"})
    void shouldTakeNothingForTheRoot(String text) throws Exception {
        CrailPath path = CrailPath.parse(text);
        assertThat(path.isRoot()).isTrue();
        assertThat(path).isEqualTo(CrailPath.ROOT).hasToString("/");
        assertThat(path.parent()).isEqualTo(CrailPath.ROOT);
        assertThat(path.name()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "/a/..", "../a", "/a/./b", "\ud800"})
    void shouldRefuseDotsAndHalfCharacters(String text) {
        assertThatThrownBy(() -> CrailPath.parse(text)).isInstanceOf(InvalidPathException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"...", ".a", "a.", "..a", "a b", "日本", "\u0000"})
    void shouldAcceptAnyOtherName(String name) throws Exception {
        CrailPath path = CrailPath.parse("/x").child(name);
        assertThat(path.name()).isEqualTo(name);
        assertThat(path.parent()).isEqualTo(CrailPath.parse("x"));
        assertThat(path.isBelow(path.parent())).isTrue();
    }

    @Test
    void shouldBoundComponentsAndPathsInBytes() throws Exception {
        String longest = "ä".repeat(127) + "x";
        assertThat(CrailPath.parse(longest).component(0)).hasSize(255);
        assertThatThrownBy(() -> CrailPath.parse(longest + "x"))
                .isInstanceOf(InvalidPathException.class)
                .hasMessageContaining("256 bytes");
        String path = ("/" + longest).repeat(3) + "/" + "x".repeat(254);
        assertThat(CrailPath.parse(path).utf8()).hasSize(1023);
        assertThatThrownBy(() -> CrailPath.parse(path + "x")).hasMessageContaining("1023 bytes");
        assertThatThrownBy(() -> CrailPath.parse(null)).isInstanceOf(InvalidPathException.class);
    }

    @Test
    @DisplayName("D7: names with equal hashes are different")
    void shouldTellNamesWithEqualHashesApart() throws Exception {
        assertThat("Aa").hasSameHashCodeAs("BB");
        assertThat(CrailPath.parse("/Aa")).isNotEqualTo(CrailPath.parse("/BB"));
    }

    @Test
    void shouldNotTakeAPrefixOfANameForAParent() throws Exception {
        assertThat(CrailPath.parse("/ab").isBelow(CrailPath.parse("/a"))).isFalse();
        assertThat(CrailPath.parse("/a/b/c").isBelow(CrailPath.parse("/a"))).isTrue();
        assertThat(CrailPath.parse("/a").isBelow(CrailPath.parse("/a"))).isFalse();
        assertThat(CrailPath.parse("/a").isBelow(CrailPath.ROOT)).isTrue();
    }

    @Test
    void shouldRefuseChildrenThatAreNoName() {
        assertThatThrownBy(() -> CrailPath.ROOT.child("")).isInstanceOf(InvalidPathException.class);
        assertThatThrownBy(() -> CrailPath.ROOT.child("a/b")).isInstanceOf(InvalidPathException.class);
    }
}

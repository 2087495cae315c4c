/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.crail.error.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PluginsTest {
    /** What is made. */
    public static class Part {
        final String text;

        /** The one that is preferred. */
        public Part(CharSequence text) {
            this.text = text.toString();
            if (this.text.isEmpty()) {
                throw new IllegalArgumentException("an empty part");
            }
        }
    }

    /** Takes nothing. */
    public static final class PlainPart extends Part {
        /** Makes one. */
        public PlainPart() {
            super("plain");
        }
    }

    @Test
    void shouldPreferTheConstructorThatTakesTheArguments() throws ConfigurationException {
        assertThat(make(Part.class.getName(), "given").text).isEqualTo("given");
        assertThat(make(" " + PlainPart.class.getName(), "given").text).isEqualTo("plain");
    }

    @Test
    void shouldTellWhyAConstructorFailed() {
        assertThatThrownBy(() -> make(Part.class.getName(), ""))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("an empty part")
                .hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.example.Missing", "java.lang.String", "java.lang.CharSequence"})
    void shouldNameTheKeyOfAClassThatCannotBeUsed(String name) {
        assertThatThrownBy(() -> make(name, "given"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.cacheimpl = " + name)
                .hasMessageContaining(Part.class.getName());
    }

    private static Part make(String className, String text) throws ConfigurationException {
        return Plugins.newInstance(CrailKeys.CACHE_IMPL, className, Part.class, text);
    }
}

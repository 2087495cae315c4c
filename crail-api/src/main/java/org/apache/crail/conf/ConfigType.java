/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.util.Objects;
import java.util.function.Function;

/**
 * How a value is written in a configuration file and what it is in Java. Immutable and thread safe.
 *
 * @param label the name of the type in the documentation, e.g. {@code bytes}
 * @param form what a value looks like; completes the sentence "the value must be ..."
 * @param parser from text to value; throws {@link IllegalArgumentException} or {@link ArithmeticException} if ill-typed
 * @param formatter from value to text that the parser accepts
 */
record ConfigType<T>(String label, String form, Function<String, T> parser, Function<T, String> formatter) {
    ConfigType {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(form, "form");
        Objects.requireNonNull(parser, "parser");
        Objects.requireNonNull(formatter, "formatter");
    }

    T parse(String text) {
        return parser.apply(text);
    }

    String format(T value) {
        return formatter.apply(value);
    }
}

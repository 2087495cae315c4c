/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * What a value of a key must be besides well typed. Immutable.
 *
 * @param text completes the sentence "the value must be ..."
 * @param test whether a value meets it
 */
record ConfigConstraint<T>(String text, Predicate<? super T> test) {
    ConfigConstraint {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(test, "test");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;

/** Which shuffles go to Spark's own local files: the value of {@code spark.crail.shuffle.fallback}. */
enum Fallback {
    /** None: without the store no application starts, and map tasks fail where it is full. */
    NEVER,

    /** Those that begin while the store cannot be reached, or is nearly full. */
    AUTO,

    /** All. */
    ALWAYS;

    private static final String KEY = "spark.crail." + StoreSettings.FALLBACK;

    static Fallback of(SparkConf conf) {
        String value = conf.get(KEY, "never");
        return Arrays.stream(values())
                .filter(each -> each.text().equals(value))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(KEY + " is " + value + "; set it to one of "
                        + Arrays.stream(values()).map(Fallback::text).collect(Collectors.joining(", "))));
    }

    private String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}

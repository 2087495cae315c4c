/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes as text: a whole number with an optional suffix k, m, g or t for powers of 1,024. */
final class ByteSize {
    private static final Pattern FORM = Pattern.compile("(-?\\d+)\\s*([kmgt]?)(i?b)?");
    private static final String SUFFIXES = "kmgt";
    private static final int BITS_PER_SUFFIX = 10;

    private ByteSize() {}

    /**
     * Parses {@code text}; throws {@link IllegalArgumentException} or {@link ArithmeticException} if it is no number of
     * bytes.
     */
    static long parse(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        int power = matcher.group(2).isEmpty() ? 0 : SUFFIXES.indexOf(matcher.group(2)) + 1;
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (BITS_PER_SUFFIX * power));
    }

    /** The shortest text that {@link #parse} turns into {@code bytes}. */
    static String format(long bytes) {
        long rest = bytes;
        int power = 0;
        while (rest != 0 && rest % 1024 == 0 && power < SUFFIXES.length()) {
            rest /= 1024;
            power++;
        }
        return rest + (power == 0 ? "" : SUFFIXES.substring(power - 1, power));
    }
}

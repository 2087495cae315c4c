/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as text: a whole number with an optional unit us, ms, s, min or h. Stateless. */
public final class DurationText {
    private static final Pattern FORM = Pattern.compile("(-?\\d+)\\s*([a-z]*)");
    private static final Map<String, ChronoUnit> UNITS = units();

    private DurationText() {}

    private static Map<String, ChronoUnit> units() {
        Map<String, ChronoUnit> units = new LinkedHashMap<>();
        units.put("h", ChronoUnit.HOURS);
        units.put("min", ChronoUnit.MINUTES);
        units.put("s", ChronoUnit.SECONDS);
        units.put("ms", ChronoUnit.MILLIS);
        units.put("us", ChronoUnit.MICROS);
        return units;
    }

    /** Parses {@code text}, where a number without a unit counts {@code plainUnit}; throws if it is no duration. */
    public static Duration parse(String text, ChronoUnit plainUnit) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        ChronoUnit unit = matcher.group(2).isEmpty() ? plainUnit : UNITS.get(matcher.group(2));
        if (unit == null) {
            throw new IllegalArgumentException(text);
        }
        return Duration.of(Long.parseLong(matcher.group(1)), unit);
    }

    /** The duration in the largest unit that holds it without a fraction. */
    public static String format(Duration duration) {
        for (Map.Entry<String, ChronoUnit> unit : UNITS.entrySet()) {
            Duration one = unit.getValue().getDuration();
            if (!duration.isZero() && duration.equals(one.multipliedBy(duration.dividedBy(one)))) {
                return duration.dividedBy(one) + unit.getKey();
            }
        }
        return duration.toMillis() + "ms";
    }
}

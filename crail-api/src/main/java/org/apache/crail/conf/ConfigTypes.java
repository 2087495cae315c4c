/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.crail.internal.DurationText;

/** The types that configuration values have. */
final class ConfigTypes {
    private static final String CLASS_FORM = "a class name, e.g. org.example.Tier";
    private static final Pattern CLASS_NAME = Pattern.compile("\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*"
            + "(\\.\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)*");

    static final ConfigType<Integer> INTEGER =
            new ConfigType<>("int", "a whole number", Integer::valueOf, String::valueOf);

    static final ConfigType<Double> DOUBLE = new ConfigType<>(
            "double", "a number with an optional fraction, e.g. 0.4", ConfigTypes::parseDouble, String::valueOf);

    static final ConfigType<Boolean> BOOLEAN =
            new ConfigType<>("boolean", "true or false", ConfigTypes::parseBoolean, String::valueOf);

    static final ConfigType<String> STRING =
            new ConfigType<>("string", "text", Function.identity(), Function.identity());

    static final ConfigType<String> PATH = new ConfigType<>("path", "a path", Function.identity(), Function.identity());

    static final ConfigType<String> CLASS =
            new ConfigType<>("class", CLASS_FORM, ConfigTypes::parseClassName, Function.identity());

    static final ConfigType<Long> BYTES = new ConfigType<>(
            "bytes", "a number of bytes, optionally with k, m, g or t", ByteSize::parse, ByteSize::format);

    static final ConfigType<Integer> INT_BYTES = new ConfigType<>(
            "bytes", BYTES.form(), text -> Math.toIntExact(ByteSize.parse(text)), size -> ByteSize.format(size));

    static final ConfigType<List<String>> LIST =
            list("list", "texts separated by commas", Function.identity(), Function.identity());

    static final ConfigType<List<String>> CLASSES = list(
            "list of classes", "class names separated by commas", ConfigTypes::parseClassName, Function.identity());

    static final ConfigType<List<URI>> URIS =
            list("list of URIs", "URIs separated by commas", URI::create, URI::toString);

    private ConfigTypes() {}

    /** Durations; a number without a unit counts {@code plainUnit}. */
    static ConfigType<Duration> duration(ChronoUnit plainUnit) {
        return new ConfigType<>(
                "duration",
                "a number of " + name(plainUnit) + ", or a number with us, ms, s, min or h",
                text -> DurationText.parse(text, plainUnit),
                DurationText::format);
    }

    private static String name(ChronoUnit unit) {
        return unit == ChronoUnit.MILLIS ? "milliseconds" : unit.toString().toLowerCase(Locale.ROOT);
    }

    private static <E> ConfigType<List<E>> list(
            String label, String form, Function<String, E> parser, Function<E, String> formatter) {
        return new ConfigType<>(
                label,
                form,
                text -> Arrays.stream(text.split(","))
                        .map(String::strip)
                        .filter(element -> !element.isEmpty())
                        .map(parser)
                        .toList(),
                list -> list.stream().map(formatter).collect(Collectors.joining(",")));
    }

    private static Double parseDouble(String text) {
        double value = Double.parseDouble(text);
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(text);
        }
        return value;
    }

    private static Boolean parseBoolean(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static String parseClassName(String text) {
        if (!CLASS_NAME.matcher(text).matches()) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.crail.error.ConfigurationException;

/**
 * A configuration key as data: its name, the type, range and default of its values, and what they mean. Declared once
 * as a constant, e.g. {@code
 * ConfigKey.bytes("crail.blocksize").group("General").defaultText("1m").text("...").build()}, and read with {@link
 * CrailConfiguration#get(ConfigKey)}. Immutable and thread safe.
 *
 * @param <T> what a value is in Java
 */
public final class ConfigKey<T> {
    private final String name;
    private final ConfigType<T> type;
    private final T defaultValue;
    private final ConfigKey<T> defaultKey;
    private final String group;
    private final String text;
    private final List<ConfigConstraint<T>> constraints;

    private ConfigKey(Builder<T> builder) {
        this.name = builder.name;
        this.type = builder.type;
        this.defaultKey = builder.defaultKey;
        this.group = Objects.requireNonNull(builder.group, name + " has no group");
        this.text = Objects.requireNonNull(builder.text, name + " has no text");
        this.constraints = List.copyOf(builder.constraints);
        this.defaultValue = builder.parseDefault();
    }

    /** A key whose values are whole numbers of 32 bits. */
    public static Builder<Integer> integer(String name) {
        return new Builder<>(name, ConfigTypes.INTEGER);
    }

    /** A key whose values are TCP ports; 0 stands for any free port. */
    public static Builder<Integer> port(String name) {
        return integer(name).between(0, 65535);
    }

    /** A key whose values are numbers of bytes, written with an optional suffix k, m, g or t. */
    public static Builder<Long> bytes(String name) {
        return new Builder<>(name, ConfigTypes.BYTES);
    }

    /** As {@link #bytes}, for sizes that fit an int. */
    public static Builder<Integer> intBytes(String name) {
        return new Builder<>(name, ConfigTypes.INT_BYTES);
    }

    /** A key whose values are durations; a number without a unit counts {@code plainUnit}. */
    public static Builder<Duration> duration(String name, ChronoUnit plainUnit) {
        return new Builder<>(name, ConfigTypes.duration(plainUnit));
    }

    /** A key whose values are numbers with an optional fraction. */
    public static Builder<Double> decimal(String name) {
        return new Builder<>(name, ConfigTypes.DOUBLE);
    }

    /** A key whose values are true or false. */
    public static Builder<Boolean> bool(String name) {
        return new Builder<>(name, ConfigTypes.BOOLEAN);
    }

    /** A key whose values are text; may be empty. */
    public static Builder<String> string(String name) {
        return new Builder<>(name, ConfigTypes.STRING);
    }

    /** A key whose values are paths of the local file system; may be empty. */
    public static Builder<String> path(String name) {
        return new Builder<>(name, ConfigTypes.PATH);
    }

    /** A key whose values are one of {@code choices}, in lower case. */
    public static Builder<String> choice(String name, String... choices) {
        List<String> allowed = List.of(choices);
        ConfigType<String> type = new ConfigType<>(
                "choice", "one of " + String.join(", ", allowed), text -> text.toLowerCase(Locale.ROOT), text -> text);
        return new Builder<>(name, type).mustBe(type.form(), allowed::contains);
    }

    /** A key whose values are names of classes. */
    public static Builder<String> className(String name) {
        return new Builder<>(name, ConfigTypes.CLASS);
    }

    /** A key whose values are texts separated by commas. */
    public static Builder<List<String>> list(String name) {
        return new Builder<>(name, ConfigTypes.LIST);
    }

    /** A key whose values are names of classes separated by commas. */
    public static Builder<List<String>> classNames(String name) {
        return new Builder<>(name, ConfigTypes.CLASSES);
    }

    /** A key whose values are URIs separated by commas. */
    public static Builder<List<URI>> uris(String name) {
        return new Builder<>(name, ConfigTypes.URIS);
    }

    /** The name, e.g. {@code crail.storage.tcp.port}. */
    public String name() {
        return name;
    }

    /**
     * The environment variable that sets the key: {@code CRAIL_STORAGE_TCP_PORT} for {@code crail.storage.tcp.port}.
     */
    public String environmentName() {
        return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    /** The name of the type: int, long, bytes, duration, boolean, ... */
    public String typeName() {
        return type.label();
    }

    /** The default; null if {@link #defaultKey} is not. */
    public T defaultValue() {
        return defaultValue;
    }

    /** The key whose value is the default; null if the default is a value. */
    public ConfigKey<T> defaultKey() {
        return defaultKey;
    }

    /** The default as text that {@link #parse} accepts, or "the value of KEY". */
    public String defaultText() {
        return defaultKey == null ? format(defaultValue) : "the value of " + defaultKey.name;
    }

    /** The heading that the key is documented under. */
    public String group() {
        return group;
    }

    /** What the key means, in full sentences. */
    public String text() {
        return text;
    }

    /** What a value must look like and which values are allowed, e.g. "a whole number from 1 to 64". */
    public String allowed() {
        StringBuilder allowed = new StringBuilder(type.form());
        for (ConfigConstraint<T> constraint : constraints) {
            if (!constraint.text().equals(type.form())) {
                allowed.append(", ").append(constraint.text());
            }
        }
        return allowed.toString();
    }

    /**
     * Turns text into a value.
     *
     * @throws ConfigurationException if the text is ill-typed or the value not allowed; names the key, the text and
     *     what would be right
     */
    public T parse(String value) throws ConfigurationException {
        return parse(value, "");
    }

    /** As {@link #parse(String)}; {@code origin} says in the message where the text comes from. */
    T parse(String value, String origin) throws ConfigurationException {
        T parsed;
        try {
            parsed = type.parse(value.strip());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ConfigurationException(problem(value, origin), e);
        }
        for (ConfigConstraint<T> constraint : constraints) {
            if (!constraint.test().test(parsed)) {
                throw new ConfigurationException(problem(value, origin));
            }
        }
        return parsed;
    }

    private String problem(String value, String origin) {
        return name + " = \"" + value + "\"" + origin + ": the value must be " + allowed();
    }

    /** The text of a value, as {@link #parse} accepts it. */
    public String format(T value) {
        return type.format(value);
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * Collects what a key is made of. Not thread safe.
     *
     * @param <T> what a value is in Java
     */
    public static final class Builder<T> {
        private final String name;
        private final ConfigType<T> type;
        private final List<ConfigConstraint<T>> constraints = new ArrayList<>();
        private String defaultText;
        private ConfigKey<T> defaultKey;
        private String group;
        private String text;

        private Builder(String name, ConfigType<T> type) {
            this.name = Objects.requireNonNull(name, "name");
            this.type = type;
        }

        /** Sets the heading that the key is documented under. */
        public Builder<T> group(String value) {
            this.group = value;
            return this;
        }

        /** Sets the default, written as in a file. */
        public Builder<T> defaultText(String value) {
            this.defaultText = value;
            return this;
        }

        /** Makes the value of another key the default. */
        public Builder<T> defaultFrom(ConfigKey<T> key) {
            this.defaultKey = key;
            return this;
        }

        /** Allows values from {@code low} to {@code high}, both included. */
        public Builder<T> between(T low, T high) {
            return mustBe(
                    "from " + type.format(low) + " to " + type.format(high),
                    value -> compare(value, low) >= 0 && compare(value, high) <= 0);
        }

        /** Allows values of {@code low} and more. */
        public Builder<T> atLeast(T low) {
            return mustBe("at least " + type.format(low), value -> compare(value, low) >= 0);
        }

        /** Allows values that meet {@code test}; {@code what} completes the sentence "the value must be ...". */
        public Builder<T> mustBe(String what, Predicate<? super T> test) {
            constraints.add(new ConfigConstraint<>(what, test));
            return this;
        }

        /** Sets what the key means; the sentences are joined by spaces. */
        public Builder<T> text(String... sentences) {
            this.text = String.join(" ", Arrays.asList(sentences));
            return this;
        }

        /** Makes the key. */
        public ConfigKey<T> build() {
            return new ConfigKey<>(this);
        }

        @SuppressWarnings("unchecked") // only the types of numbers and durations offer ranges
        private static <T> int compare(T left, T right) {
            return ((Comparable<T>) left).compareTo(right);
        }

        private T parseDefault() {
            if (defaultKey != null) {
                return null;
            }
            Objects.requireNonNull(defaultText, name + " has no default");
            T value = type.parse(defaultText);
            for (ConfigConstraint<T> constraint : constraints) {
                if (!constraint.test().test(value)) {
                    throw new IllegalArgumentException(name + ": the default " + defaultText + " is not allowed");
                }
            }
            return value;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Whole numbers on the command line, with the range that makes sense. All methods are thread safe. */
public abstract class Numbers implements ITypeConverter<Integer> {
    private final int min;
    private final int max;

    private Numbers(int min, int max) {
        this.min = min;
        this.max = max;
    }

    @Override
    public final Integer convert(String text) {
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw failure(text);
        }
        throw failure(text);
    }

    private TypeConversionException failure(String text) {
        return new TypeConversionException("\"" + text + "\" is not a whole number from " + min + " to " + max);
    }

    /** How many of something there must be at least one of. Thread safe. */
    public static final class Count extends Numbers {
        /** For the parser. */
        public Count() {
            super(1, Integer.MAX_VALUE);
        }
    }

    /** How many of something there may be none of. Thread safe. */
    public static final class CountOrNone extends Numbers {
        /** For the parser. */
        public CountOrNone() {
            super(0, Integer.MAX_VALUE);
        }
    }

    /** How many threads. Thread safe. */
    public static final class Threads extends Numbers {
        private static final int MAX = 256;

        /** For the parser. */
        public Threads() {
            super(1, MAX);
        }
    }

    /** A port to listen on, 0 for any free one. Thread safe. */
    public static final class Port extends Numbers {
        private static final int MAX = 65_535;

        /** For the parser. */
        public Port() {
            super(0, MAX);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

/**
 * Where a value comes from. Immutable.
 *
 * @param source what kind of place
 * @param detail which one: the file and the line in it, the variable; empty if the kind says all
 */
public record ConfigOrigin(Source source, String detail) {
    /** The kinds of places, weakest first: a later one overrides an earlier one. */
    public enum Source {
        /** Nobody set the key; its declared default holds. */
        DEFAULT("default"),
        /** A configuration file. */
        FILE("file"),
        /** A system property of the JVM. */
        SYSTEM_PROPERTY("system property"),
        /** An environment variable. */
        ENVIRONMENT("environment variable"),
        /** The program called {@link CrailConfiguration#set}. */
        PROGRAM("program");

        private final String label;

        Source(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** The origin of a default. */
    static final ConfigOrigin DEFAULT = new ConfigOrigin(Source.DEFAULT, "");

    /** The origin of a value that the program set. */
    static final ConfigOrigin PROGRAM = new ConfigOrigin(Source.PROGRAM, "");

    @Override
    public String toString() {
        return detail.isEmpty() ? source.toString() : source + " " + detail;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A change of a permission as users of chmod write it. Implementations are immutable. */
interface Mode {
    /**
     * The permission after the change.
     *
     * @param isContainer whether X sets x even if nobody may execute
     */
    int applyTo(int permission, boolean isContainer);

    /** Reads an octal number, or clauses like u+rwx,g=rx,o-w; null if the text is neither. */
    static Mode parse(String text) {
        if (text.matches("[01]?[0-7]{1,3}")) {
            int permission = Integer.parseInt(text, 8);
            return (before, isContainer) -> permission;
        }
        Mode all = (before, isContainer) -> before;
        for (String clause : text.split(",", -1)) {
            Mode one = Clause.parse(clause);
            if (one == null) {
                return null;
            }
            Mode first = all;
            all = (before, isContainer) -> one.applyTo(first.applyTo(before, isContainer), isContainer);
        }
        return all;
    }

    /**
     * A part like ug+rx.
     *
     * @param who the bits of those that are named
     * @param operator +, - or =
     * @param what letters
     */
    record Clause(int who, char operator, String what) implements Mode {
        private static final Pattern FORM = Pattern.compile("([ugoa]*)([-+=])([rwxXt]*)");
        private static final int STICKY = 01000;
        private static final int EXECUTE = 0111;

        private static Clause parse(String text) {
            Matcher parts = FORM.matcher(text.strip());
            if (!parts.matches()) {
                return null;
            }
            String who = parts.group(1).isEmpty() ? "a" : parts.group(1);
            int bits = who.contains("a") ? 0777 : 0;
            bits |= who.contains("u") ? 0700 : 0;
            bits |= who.contains("g") ? 070 : 0;
            bits |= who.contains("o") ? 07 : 0;
            return new Clause(bits, parts.group(2).charAt(0), parts.group(3));
        }

        @Override
        public int applyTo(int permission, boolean isContainer) {
            boolean executes = isContainer || (permission & EXECUTE) != 0;
            int bits = what.contains("r") ? 0444 : 0;
            bits |= what.contains("w") ? 0222 : 0;
            bits |= what.contains("x") || (what.contains("X") && executes) ? EXECUTE : 0;
            bits = (bits & who) | (what.contains("t") ? STICKY : 0);
            return switch (operator) {
                case '+' -> permission | bits;
                case '-' -> permission & ~bits;
                default -> (permission & ~who) | bits;
            };
        }
    }
}

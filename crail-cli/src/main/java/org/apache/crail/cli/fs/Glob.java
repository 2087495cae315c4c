/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.crail.error.InvalidPathException;

/**
 * Patterns of names by Hadoop's rules: {@code *} any characters, {@code ?} one, <code>[a-c]</code> one of a set,
 * <code>[^a]</code> one of no other, <code>{a,b}</code> either text; {@code \} takes a character literally. All
 * methods are thread safe.
 */
final class Glob {
    private static final String SPECIAL = "*?[{";
    private static final char ESCAPE = '\\';

    private Glob() {}

    /** Whether a text is more than the name of one path. */
    static boolean isPattern(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == ESCAPE) {
                i++;
            } else if (SPECIAL.indexOf(text.charAt(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** A text without the backslashes that take a character literally. */
    static String literal(String text) {
        return text.replaceAll("(?s)\\\\(.)", "$1");
    }

    /** The names that a pattern matches as a whole. */
    static Predicate<String> names(String pattern, boolean anyCase) throws InvalidPathException {
        int flags = Pattern.DOTALL | (anyCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
        Predicate<String> any = name -> false;
        for (String one : alternatives(pattern)) {
            any = any.or(compile(one, flags).asMatchPredicate());
        }
        return any;
    }

    /** The patterns without braces that a pattern stands for. */
    static List<String> alternatives(String pattern) throws InvalidPathException {
        int open = indexOf(pattern, 0, "{");
        if (open == pattern.length()) {
            return List.of(pattern);
        }
        List<String> all = new ArrayList<>();
        int start = open + 1;
        int end = start;
        for (int depth = 1; depth > 0; end++) {
            end = indexOf(pattern, end, "{,}");
            if (end == pattern.length()) {
                throw notClosed(pattern, '{');
            }
            depth += pattern.charAt(end) == '{' ? 1 : pattern.charAt(end) == '}' ? -1 : 0;
            if (depth == 0 || (depth == 1 && pattern.charAt(end) == ',')) {
                all.add(pattern.substring(start, end));
                start = end + 1;
            }
        }
        List<String> expanded = new ArrayList<>();
        for (String one : all) {
            expanded.addAll(alternatives(pattern.substring(0, open) + one + pattern.substring(end)));
        }
        return expanded;
    }

    /** Where one of some characters stands that is not taken literally; the length if there is none. */
    private static int indexOf(String pattern, int from, String characters) {
        int i = from;
        while (i < pattern.length() && characters.indexOf(pattern.charAt(i)) < 0) {
            i += pattern.charAt(i) == ESCAPE ? 2 : 1;
        }
        return Math.min(i, pattern.length());
    }

    private static Pattern compile(String pattern, int flags) throws InvalidPathException {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char letter = pattern.charAt(i);
            switch (letter) {
                case '*' -> regex.append(".*");
                case '?' -> regex.append('.');
                case '[' -> i = appendSet(pattern, i + 1, regex);
                case ESCAPE -> {
                    i = Math.min(i + 1, pattern.length() - 1);
                    appendLiteral(pattern.charAt(i), regex);
                }
                default -> appendLiteral(letter, regex);
            }
        }
        try {
            return Pattern.compile(regex.toString(), flags);
        } catch (PatternSyntaxException e) {
            throw new InvalidPathException("pattern " + pattern + " is wrong: " + e.getDescription(), e);
        }
    }

    /** Appends what stands between brackets; returns where they close. */
    private static int appendSet(String pattern, int start, StringBuilder regex) throws InvalidPathException {
        int i = start;
        regex.append('[');
        if (i < pattern.length() && "!^".indexOf(pattern.charAt(i)) >= 0) {
            regex.append('^');
            i++;
        }
        for (; i < pattern.length() && pattern.charAt(i) != ']'; i++) {
            if (pattern.charAt(i) == '-') {
                regex.append('-');
            } else {
                i += pattern.charAt(i) == ESCAPE && i + 1 < pattern.length() ? 1 : 0;
                appendLiteral(pattern.charAt(i), regex);
            }
        }
        if (i >= pattern.length()) {
            throw notClosed(pattern, '[');
        }
        regex.append(']');
        return i;
    }

    private static void appendLiteral(char letter, StringBuilder regex) {
        if (letter < 128 && !Character.isLetterOrDigit(letter)) {
            regex.append(ESCAPE);
        }
        regex.append(letter);
    }

    private static InvalidPathException notClosed(String pattern, char bracket) {
        return new InvalidPathException("pattern " + pattern + " is wrong: " + bracket + " is not closed; write \\"
                + bracket + " for the character itself");
    }
}

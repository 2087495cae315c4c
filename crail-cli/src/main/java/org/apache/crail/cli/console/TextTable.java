/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Rows of cells, printed in columns that are as wide as they need to be. Control characters of names are shown, as a
 * line of the table would break. Used by one thread.
 */
public final class TextTable {
    private static final String GAP = "  ";
    private static final Set<UnicodeScript> WIDE =
            Set.of(UnicodeScript.HAN, UnicodeScript.HIRAGANA, UnicodeScript.KATAKANA, UnicodeScript.HANGUL);

    private final List<String[]> rows = new ArrayList<>();

    /** A table with a line of headings. */
    public TextTable(String... headings) {
        rows.add(headings);
    }

    /** Adds a row with as many cells as there are headings. */
    public void row(Object... cells) {
        String[] texts = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            texts[i] = Console.shown(String.valueOf(cells[i]));
        }
        rows.add(texts);
    }

    /** How many columns of a terminal a text takes: marks over letters none, letters of East Asia two. */
    private static int columns(String text) {
        return text.codePoints()
                .map(letter -> isMark(letter) ? 0 : WIDE.contains(UnicodeScript.of(letter)) ? 2 : 1)
                .sum();
    }

    private static boolean isMark(int letter) {
        return Character.getType(letter) == Character.NON_SPACING_MARK
                || Character.getType(letter) == Character.ENCLOSING_MARK;
    }

    /** Prints the table. */
    public void print(Console console) {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], columns(row[i]));
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i])
                        .append(" ".repeat(widths[i] - columns(row[i])))
                        .append(GAP);
            }
            console.line(line.toString().stripTrailing());
        }
    }
}

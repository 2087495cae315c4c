/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells, printed in columns that are as wide as they need to be. Used by one thread. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();

    /** A table with a line of headings. */
    public TextTable(String... headings) {
        rows.add(headings);
    }

    /** Adds a row with as many cells as there are headings. */
    public void row(Object... cells) {
        String[] texts = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            texts[i] = String.valueOf(cells[i]);
        }
        rows.add(texts);
    }

    /** Prints the table. */
    public void print(Console console) {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i])
                        .append(" ".repeat(widths[i] - row[i].length()))
                        .append(GAP);
            }
            console.line(line.toString().stripTrailing());
        }
    }
}

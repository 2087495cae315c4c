/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

/**
 * A table of 23 columns of numbers, as wide as a fact table of TPC-DS: 9 of ints, 4 of longs and 10 of doubles.
 * Stateless.
 */
public final class NumberTable {
    static final int COLUMNS = 23;

    private static final int FIRST_LONG = 9;
    private static final int FIRST_DOUBLE = 13;
    private static final int VALUES = 1_009;

    private NumberTable() {}

    static String name(int column) {
        return "c" + column;
    }

    static boolean isInt(int column) {
        return column < FIRST_LONG;
    }

    static boolean isLong(int column) {
        return column >= FIRST_LONG && column < FIRST_DOUBLE;
    }

    static int value(int row, int column) {
        return (int) ((row * 31L + column * 17L) % VALUES);
    }

    /** Of all values, which is exact. */
    public static double sum(int rows) {
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                sum += value(row, column);
            }
        }
        return sum;
    }
}

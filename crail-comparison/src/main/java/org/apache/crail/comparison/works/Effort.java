/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.works;

import org.apache.crail.comparison.TableFormat;

/**
 * How much is done in a turn.
 *
 * @param turnMs how long a turn lasts, unless there is another limit
 * @param longTurnMs the same for work that begins slowly
 * @param units MiB of a file
 * @param passes files that are written in a turn, at most
 * @param mostPuts in a turn, of values that take a block each
 * @param mostSmallPuts the same of values that share blocks
 * @param calls creates of a turn, and pipelined calls that are sent off together
 * @param listed files whose status is asked for together
 * @param rows of a table
 * @param mostNames the largest directory that is listed
 * @param warmUpOperations with which a warm-up ends, if the compilers have little to do
 * @param warmUpMs or with so much measured time, under the same condition
 * @param longestWarmUpMs measured time with which it ends whatever the compilers do
 */
public record Effort(
        long turnMs,
        long longTurnMs,
        int units,
        int passes,
        int mostPuts,
        int mostSmallPuts,
        int calls,
        int listed,
        int rows,
        int mostNames,
        int warmUpOperations,
        long warmUpMs,
        long longestWarmUpMs) {
    private static final int SMALL_VALUES_IN_MIB = 256;

    /** For what is on its way to be free. */
    private static final int SPARE_MIB = 128;

    /** What gives figures. */
    public static final Effort FULL =
            new Effort(300, 1_000, 128, 8, 1_000, 20_000, 50_000, 10_000, 200_000, 100_000, 20_000, 3_000, 6_000);

    /** What shows that everything works. */
    public static final Effort QUICK = new Effort(10, 10, 4, 2, 20, 20, 500, 200, 2_000, 2_000, 1, 1, 1);

    /** Values that are put or fetched together. */
    public int valuesAtOnce() {
        return Math.min(mostSmallPuts, 10_000);
    }

    /** MiB that a turn writes to files. */
    public int writtenMib() {
        return passes * units;
    }

    /** MiB of what is kept of tables, of which a row has 148 bytes and its share of the format's own. */
    private int tableMib() {
        return TableFormat.values().length * ((rows >> 12) + 2);
    }

    /**
     * MiB of the files that are kept: those that are read, a block for each that is looked up, and tables.
     */
    private int keptMib() {
        return 2 * units + 2 * Works.LOOKED_UP + tableMib() + SPARE_MIB;
    }

    /**
     * MiB that files need through Hadoop's interface: those that are kept, and what a turn writes; empty ones take
     * nothing.
     */
    public int filesMib() {
        return keptMib() + writtenMib();
    }

    /**
     * MiB that a store of ours needs: the file that is read, what a turn writes or replaces, the small values that
     * three works have replaced and nobody waits for, and the values that are kept.
     */
    public int storageMib() {
        int replaced = 3 * (mostSmallPuts / SMALL_VALUES_IN_MIB + 1) + 2 * (valuesAtOnce() / SMALL_VALUES_IN_MIB + 1);
        return units + Math.max(writtenMib(), mostPuts) + replaced + Works.BLOCKS_OF_VALUES;
    }
}

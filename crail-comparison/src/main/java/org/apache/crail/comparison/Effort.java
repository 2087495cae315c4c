/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

/**
 * How much is done in a turn.
 *
 * @param turnMs how long a turn lasts, unless there is another limit
 * @param units MiB of a stream
 * @param mostWrites puts and creates of a turn
 * @param calls pipelined calls that are sent off together
 * @param mostNames the largest directory that is listed
 */
record Effort(long turnMs, int units, int mostWrites, int calls, int mostNames) {
    /** What gives figures. */
    static final Effort FULL = new Effort(300, 128, 1_000, 50_000, 100_000);

    /** What shows that everything works. */
    static final Effort QUICK = new Effort(10, 4, 20, 500, 2_000);

    /** MiB that a store needs: files of two streams, a block for each value that is kept or was replaced in a turn. */
    int storageMib() {
        return 2 * units + mostWrites + Works.KEPT_VALUES + (mostNames >> 10);
    }
}

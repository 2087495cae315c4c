/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.cold;

import java.util.List;

/**
 * How much a cold client does.
 *
 * @param marks after how many operations it looks at its clocks, ascending
 * @param largeMarks the same where each takes 1 MiB of memory
 * @param limitMs after which it ends, whatever mark it has passed; counted since it was open
 */
public record ColdEffort(List<Integer> marks, List<Integer> largeMarks, long limitMs) {
    /** What gives figures. */
    public static final ColdEffort FULL = new ColdEffort(List.of(100, 2_000, 20_000), List.of(100, 2_000), 10_000);

    /** The same in little memory. */
    static final ColdEffort SMALL = new ColdEffort(FULL.marks, List.of(100), FULL.limitMs);

    /** What shows that everything works. */
    public static final ColdEffort QUICK = new ColdEffort(List.of(5, 10), List.of(2, 4), FULL.limitMs);

    /** Room for the files of ours and HDFS's, and as much for values of others. */
    private static final int USABLE_FOR_FULL_MIB = 12 << 10;

    private static final int SMALL_VALUES_IN_MIB = 256;

    /** For what is prepared for turns. */
    private static final int KEPT_MIB = 128;

    /** What gives figures where so much memory is free, or else what shows that everything works. */
    public static ColdEffort fitting(boolean quick, long usableMib) {
        return quick ? QUICK : usableMib < USABLE_FOR_FULL_MIB ? SMALL : FULL;
    }

    /** The marks of a work. */
    List<Integer> marks(ColdWork work) {
        return work.isLarge() ? largeMarks : marks;
    }

    /** MiB that the servers of a system need: a large turn, and what turns before have left for a while. */
    int storageMib() {
        return last(largeMarks) + 2 * (last(marks) / SMALL_VALUES_IN_MIB + 1) + KEPT_MIB;
    }

    private static int last(List<Integer> all) {
        return all.get(all.size() - 1);
    }
}

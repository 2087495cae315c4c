/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.cold;

import java.util.List;

/**
 * What a figure of a cold client is about. Its text, such as <code>get-256/2000/processor</code>, is the work of a row.
 *
 * @param work a name of {@link ColdWork}
 * @param mark {@link #OPEN}, {@link #FIRST} or a number of operations
 * @param clock {@link #WALL} or {@link #PROCESSOR}
 */
public record ColdStep(String work, String mark, String clock) {
    static final String OPEN = "open";
    static final String FIRST = "first";
    static final String WALL = "wall";
    static final String PROCESSOR = "processor";

    static ColdStep wall(String work, int operations) {
        return new ColdStep(work, mark(operations), WALL);
    }

    static ColdStep processor(String work, int operations) {
        return new ColdStep(work, mark(operations), PROCESSOR);
    }

    private static String mark(int operations) {
        return operations == 0 ? OPEN : operations == 1 ? FIRST : Integer.toString(operations);
    }

    /** The step with that text. */
    public static ColdStep parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException(text + " is no step; it should be work/mark/clock");
        }
        return new ColdStep(parts[0], parts[1], parts[2]);
    }

    /** A step of other work that it is measured against, as work/system: a put of 1 MiB against a write. */
    public static List<String> otherWork(String text, String system) {
        String put = ColdWork.PUT_1M.workName() + "/";
        return text.startsWith(put)
                ? List.of(ColdWork.WRITE_1M.workName() + "/" + text.substring(put.length()) + "/" + system)
                : List.of();
    }

    @Override
    public String toString() {
        return work + "/" + mark + "/" + clock;
    }
}

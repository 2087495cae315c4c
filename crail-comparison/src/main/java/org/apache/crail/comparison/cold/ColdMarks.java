/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.cold;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The marks that one cold client has passed: its client was open (after 0 operations), the first operation had ended,
 * and so on. Immutable.
 */
public record ColdMarks(List<Mark> marks) {
    /** With which the line of a mark begins; then come its three numbers. */
    static final String LINE = "MARK ";

    private static final double US_PER_MS = 1e3;
    /** In which the kernel counts processor time. */
    private static final long TICK_MS = 10;

    private static final int NUMBERS = 3;

    /**
     * A mark.
     *
     * @param operations that had ended
     * @param wallUs since the process was started
     * @param processorMs that the process had used, of the user and of the system
     */
    public record Mark(int operations, long wallUs, long processorMs) {}

    /**
     * What a client has printed; other lines are passed over.
     *
     * @throws IOException if the first two marks are not there, or a line is cut off
     */
    static ColdMarks parse(List<String> lines) throws IOException {
        List<Mark> marks = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith(LINE)) {
                marks.add(mark(line));
            }
        }
        if (marks.size() < 2 || marks.get(0).operations() != 0 || marks.get(1).operations() != 1) {
            throw new IOException(
                    "the client has not told when it was open and when its first operation had ended, but "
                            + String.join("; ", lines));
        }
        return new ColdMarks(List.copyOf(marks));
    }

    private static Mark mark(String line) throws IOException {
        String[] numbers = line.substring(LINE.length()).split(" ", -1);
        try {
            if (numbers.length == NUMBERS) {
                return new Mark(Integer.parseInt(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
            }
        } catch (NumberFormatException e) {
            throw new IOException("no three whole numbers: " + line, e);
        }
        throw new IOException("no three whole numbers: " + line);
    }

    /** How many operations have ended, as far as marks tell. */
    public int operations() {
        return marks.get(marks.size() - 1).operations();
    }

    /**
     * Milliseconds by step, in the order of steps: since the process was started until the client was open and until
     * the first operation had ended, since the client was open until further marks. Processor time is one tick at
     * least.
     */
    public Map<ColdStep, Double> milliseconds(String work) {
        Map<ColdStep, Double> all = new LinkedHashMap<>();
        Mark open = marks.get(0);
        for (Mark mark : marks) {
            Mark begin = mark.operations() <= 1 ? new Mark(0, 0, 0) : open;
            all.put(ColdStep.wall(work, mark.operations()), (mark.wallUs() - begin.wallUs()) / US_PER_MS);
            all.put(ColdStep.processor(work, mark.operations()), (double)
                    Math.max(TICK_MS, mark.processorMs() - begin.processorMs()));
        }
        return all;
    }
}

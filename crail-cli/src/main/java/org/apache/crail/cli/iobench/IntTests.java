/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.SplittableRandom;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.error.StorageFailureException;

/** Tests that write the numbers 0, 1, 2, ... and check what they read. All methods are thread safe. */
final class IntTests {
    private IntTests() {}

    static void write(BenchTask task, int operations, Meter meter) throws Exception {
        CrailFile file = task.create(task.path(), CrailNodeType.DATAFILE).get().asFile();
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream((long) operations * Integer.BYTES)) {
            for (int i = 0; i < operations; i++) {
                long startNs = System.nanoTime();
                out.writeInt(i);
                meter.done(startNs, Integer.BYTES);
            }
        }
    }

    static void read(BenchTask task, int operations, Meter meter) throws Exception {
        CrailFile file = file(task);
        int count = count(file);
        try (CrailBufferedInputStream in = file.getBufferedInputStream(file.getCapacity())) {
            for (int i = 0; i < operations; i++) {
                int expected = i % count;
                long startNs = System.nanoTime();
                if (expected == 0 && i > 0) {
                    in.seek(0);
                }
                int value = in.readInt();
                meter.done(startNs, Integer.BYTES);
                check(task, expected, value);
            }
        }
    }

    static void seek(BenchTask task, int operations, Meter meter) throws Exception {
        CrailFile file = file(task);
        int count = count(file);
        SplittableRandom random = task.random();
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            for (int i = 0; i < operations; i++) {
                int expected = random.nextInt(count);
                long startNs = System.nanoTime();
                in.seek((long) expected * Integer.BYTES);
                int value = in.readInt();
                meter.done(startNs, Integer.BYTES);
                check(task, expected, value);
            }
        }
    }

    /** The order of the files is not known, so that the numbers cannot be checked. */
    static void multiStream(BenchTask task, int operations, Meter meter) throws Exception {
        try (CrailBufferedInputStream in =
                task.existing().asMultiFile().getMultiStream(task.options().batch())) {
            for (int i = 0; i < operations; i++) {
                long startNs = System.nanoTime();
                in.readInt();
                meter.done(startNs, Integer.BYTES);
            }
        }
    }

    private static CrailFile file(BenchTask task) throws Exception {
        return task.existing().asFile();
    }

    private static int count(CrailFile file) throws PositionOutOfRangeException {
        int count = (int) Math.min(Integer.MAX_VALUE, file.getCapacity() / Integer.BYTES);
        if (count == 0) {
            throw new PositionOutOfRangeException(
                    file.getPath() + " holds no number; write some with crail iobench -t writeInt");
        }
        return count;
    }

    private static void check(BenchTask task, int expected, int value) throws StorageFailureException {
        if (value != expected) {
            throw new StorageFailureException(task.path() + " holds " + value + " at byte "
                    + (long) expected * Integer.BYTES + ", where writeInt puts " + expected
                    + "; write it with crail iobench -t writeInt");
        }
    }
}

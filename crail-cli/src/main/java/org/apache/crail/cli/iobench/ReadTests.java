/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailResult;
import org.apache.crail.error.PositionOutOfRangeException;

/** Tests that read files; a sequential one begins again at the end of the file. All methods are thread safe. */
final class ReadTests {
    private ReadTests() {}

    static void sequential(BenchTask task, int operations, Meter meter) throws Exception {
        CrailFile file = file(task, 1);
        if (!task.options().buffered()) {
            direct(task, file, operations, 1, meter);
            return;
        }
        byte[] bytes = new byte[task.sizeBytes()];
        try (CrailBufferedInputStream in = file.getBufferedInputStream(file.getCapacity())) {
            for (int i = 0; i < operations; i++) {
                long startNs = System.nanoTime();
                int length = in.read(bytes);
                if (length < 0) {
                    in.seek(0);
                    length = in.read(bytes);
                }
                meter.done(startNs, length);
            }
        }
    }

    static void async(BenchTask task, int operations, Meter meter) throws Exception {
        direct(task, file(task, 1), operations, task.options().batch(), meter);
    }

    private static void direct(BenchTask task, CrailFile file, int operations, int batch, Meter meter)
            throws Exception {
        CrailBuffer[] buffers = new CrailBuffer[batch];
        for (int i = 0; i < batch; i++) {
            buffers[i] = task.buffer();
        }
        CrailInputStream in = file.getDirectInputStream(file.getCapacity());
        OperationsInFlight<CrailResult> inFlight = new OperationsInFlight<>(batch, meter, CrailResult::getLen);
        for (int i = 0; i < operations; i++) {
            inFlight.awaitRoom();
            CrailBuffer buffer = buffers[i % batch].clear();
            long startNs = System.nanoTime();
            Future<CrailResult> read = in.read(buffer);
            if (read == null) {
                in.seek(0);
                read = in.read(buffer);
            }
            inFlight.add(startNs, read);
        }
        inFlight.awaitAll();
        in.close();
    }

    static void random(BenchTask task, int operations, Meter meter) throws Exception {
        CrailFile file = file(task, task.sizeBytes());
        long places = file.getCapacity() / task.sizeBytes();
        SplittableRandom random = task.random();
        if (task.options().buffered()) {
            randomBuffered(task, file, places, random, operations, meter);
        } else {
            randomDirect(task, file, places, random, operations, meter);
        }
    }

    private static void randomBuffered(
            BenchTask task, CrailFile file, long places, SplittableRandom random, int operations, Meter meter)
            throws Exception {
        byte[] bytes = new byte[task.sizeBytes()];
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            for (int i = 0; i < operations; i++) {
                long startNs = System.nanoTime();
                in.seek(random.nextLong(places) * bytes.length);
                meter.done(startNs, in.read(bytes));
            }
        }
    }

    private static void randomDirect(
            BenchTask task, CrailFile file, long places, SplittableRandom random, int operations, Meter meter)
            throws Exception {
        CrailBuffer buffer = task.buffer();
        CrailInputStream in = file.getDirectInputStream(0);
        for (int i = 0; i < operations; i++) {
            buffer.clear();
            long startNs = System.nanoTime();
            in.seek(random.nextLong(places) * task.sizeBytes());
            meter.done(startNs, in.read(buffer).get().getLen());
        }
        in.close();
    }

    static void multiStream(BenchTask task, int operations, Meter meter) throws Exception {
        CrailNode node = task.existing();
        byte[] bytes = new byte[task.sizeBytes()];
        int done = 0;
        while (done < operations) {
            int before = done;
            try (CrailBufferedInputStream in =
                    node.asMultiFile().getMultiStream(task.options().batch())) {
                int length = 0;
                while (done < operations && length >= 0) {
                    long startNs = System.nanoTime();
                    length = in.read(bytes);
                    if (length >= 0) {
                        meter.done(startNs, length);
                        done++;
                    }
                }
            }
            checkBytes(done > before, task.path(), 1);
        }
    }

    /** The file to read, if it has enough bytes. */
    private static CrailFile file(BenchTask task, long atLeastBytes) throws Exception {
        CrailFile file = task.existing().asFile();
        checkBytes(file.getCapacity() >= atLeastBytes, task.path(), atLeastBytes);
        return file;
    }

    private static void checkBytes(boolean enough, String path, long atLeastBytes) throws PositionOutOfRangeException {
        if (!enough) {
            throw new PositionOutOfRangeException(path + " has fewer bytes than the " + atLeastBytes
                    + " that are read at once; write more, or lower -s");
        }
    }
}

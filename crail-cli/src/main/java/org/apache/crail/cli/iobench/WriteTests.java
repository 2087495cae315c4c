/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;

/** Tests that write files. All methods are thread safe. */
final class WriteTests {
    private WriteTests() {}

    static void write(BenchTask task, int operations, Meter meter) throws Exception {
        CrailFile file = create(task);
        if (task.options().buffered()) {
            buffered(task, file, operations, meter);
        } else {
            direct(task, file, operations, 1, meter);
        }
    }

    static void writeAsync(BenchTask task, int operations, Meter meter) throws Exception {
        direct(task, create(task), operations, task.options().batch(), meter);
    }

    private static CrailFile create(BenchTask task) throws Exception {
        return task.create(task.path(), CrailNodeType.DATAFILE).get().asFile();
    }

    private static void buffered(BenchTask task, CrailFile file, int operations, Meter meter) throws Exception {
        byte[] bytes = new byte[task.sizeBytes()];
        task.buffer().get(bytes);
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream((long) operations * bytes.length)) {
            for (int i = 0; i < operations; i++) {
                long startNs = System.nanoTime();
                out.write(bytes);
                meter.done(startNs, bytes.length);
            }
        }
    }

    private static void direct(BenchTask task, CrailFile file, int operations, int batch, Meter meter)
            throws Exception {
        CrailBuffer[] buffers = new CrailBuffer[batch];
        for (int i = 0; i < batch; i++) {
            buffers[i] = task.buffer();
        }
        CrailOutputStream out = file.getDirectOutputStream((long) operations * task.sizeBytes());
        OperationsInFlight<CrailResult> inFlight = new OperationsInFlight<>(batch, meter, CrailResult::getLen);
        for (int i = 0; i < operations; i++) {
            inFlight.awaitRoom();
            CrailBuffer buffer = buffers[i % batch].clear();
            long startNs = System.nanoTime();
            inFlight.add(startNs, out.write(buffer));
        }
        inFlight.awaitAll();
        out.close();
    }
}

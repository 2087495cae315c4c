/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.concurrent.Future;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.error.NodeNotFoundException;

/** Tests on small values, where metadata and data count alike. All methods are thread safe. */
final class KeyTests {
    private KeyTests() {}

    /** A lookup and a read of the same file. */
    static void getKey(BenchTask task, int operations, Meter meter) throws Exception {
        CrailBuffer buffer = task.buffer();
        for (int i = 0; i < operations; i++) {
            long startNs = System.nanoTime();
            CrailFile file = task.existing().asFile();
            meter.done(startNs, read(file, buffer));
        }
    }

    static void put(BenchTask task, int operations, Meter meter) throws Exception {
        CrailBuffer buffer = task.buffer();
        for (int i = 0; i < operations; i++) {
            long startNs = System.nanoTime();
            CrailNode node = task.create(task.child(i), CrailNodeType.KEYVALUE).get();
            meter.done(startNs, write(node.asKeyValue(), buffer));
        }
    }

    /** Gets the keys that {@link #put} has put. */
    static void get(BenchTask task, int operations, Meter meter) throws Exception {
        CrailBuffer buffer = task.buffer();
        for (int i = 0; i < operations; i++) {
            String key = task.child(i);
            long startNs = System.nanoTime();
            CrailNode node = task.store().lookup(key).get();
            if (node == null) {
                throw new NodeNotFoundException(key + " does not exist; put it with crail iobench -t put -f "
                        + task.path() + " -k " + operations);
            }
            meter.done(startNs, read(node.asKeyValue(), buffer));
        }
    }

    /** Writes to files that may not be created yet. */
    static void early(BenchTask task, int operations, Meter meter) throws Exception {
        CrailBuffer buffer = task.buffer();
        for (int i = 0; i < operations; i++) {
            long startNs = System.nanoTime();
            CrailNode node = task.create(task.child(i), CrailNodeType.DATAFILE).early();
            meter.done(startNs, write(node.asFile(), buffer));
        }
    }

    private static long write(CrailFile file, CrailBuffer buffer) throws Exception {
        buffer.clear();
        CrailOutputStream out = file.getDirectOutputStream(buffer.remaining());
        long length = out.write(buffer).get().getLen();
        out.close();
        return length;
    }

    private static long read(CrailFile file, CrailBuffer buffer) throws Exception {
        buffer.clear();
        CrailInputStream in = file.getDirectInputStream(buffer.remaining());
        Future<CrailResult> read = in.read(buffer);
        long length = read == null ? 0 : read.get().getLen();
        in.close();
        return length;
    }
}

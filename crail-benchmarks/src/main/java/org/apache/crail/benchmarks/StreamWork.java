/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Future;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;

/** Reads and writes files through direct streams, one buffer of 1 MiB at a time or several in flight. Not thread safe. */
final class StreamWork {
    private static final String READ_PATH = "/stream-read";
    private static final String WRITE_PATH = "/stream-write";

    private final CrailStore store;
    private final int units;
    private final List<CrailBuffer> buffers = new ArrayList<>();

    /** Works on files of {@code units} MiB with at most {@code depth} transfers in flight. */
    StreamWork(CrailStore store, int units, int depth) throws Exception {
        this.store = store;
        this.units = units;
        for (int i = 0; i < depth; i++) {
            buffers.add(store.allocateBuffer());
        }
    }

    /** Writes the file that is read afterwards. */
    void prepare() throws Exception {
        write(READ_PATH, buffers.size());
    }

    /** Writes a file with so many transfers in flight, then deletes it; the result is in MiB/s. */
    double write(int depth) throws Exception {
        double mibPerSecond = write(WRITE_PATH, depth);
        store.delete(WRITE_PATH, false).get();
        return mibPerSecond;
    }

    private double write(String path, int depth) throws Exception {
        CrailFile file = store.create(
                        path, CrailNodeType.DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false)
                .get()
                .asFile();
        long startNs = System.nanoTime();
        Window window = new Window(depth);
        CrailOutputStream stream = file.getDirectOutputStream((long) units * RawServer.UNIT_BYTES);
        for (int i = 0; i < units; i++) {
            CrailBuffer buffer = window.next();
            window.add(buffer, stream.write(buffer));
        }
        window.drain();
        stream.close();
        return Sample.perSecond(units, System.nanoTime() - startNs);
    }

    /** Reads the prepared file with so many transfers in flight; the result is in MiB/s. */
    double read(int depth) throws Exception {
        CrailFile file = store.lookup(READ_PATH).get().asFile();
        long startNs = System.nanoTime();
        Window window = new Window(depth);
        CrailInputStream stream = file.getDirectInputStream(file.getCapacity());
        for (int i = 0; i < units; i++) {
            CrailBuffer buffer = window.next();
            window.add(buffer, stream.read(buffer));
        }
        window.drain();
        stream.close();
        return Sample.perSecond(units, System.nanoTime() - startNs);
    }

    /** Gives the buffers back. */
    void end() throws Exception {
        for (CrailBuffer buffer : buffers) {
            store.freeBuffer(buffer);
        }
    }

    /** The transfers in flight, oldest first, and the buffers that are free. */
    private final class Window {
        private final Queue<CrailBuffer> free = new ArrayDeque<>();
        private final Queue<CrailBuffer> busy = new ArrayDeque<>();
        private final Queue<Future<CrailResult>> transfers = new ArrayDeque<>();

        Window(int depth) {
            free.addAll(buffers.subList(0, depth));
        }

        CrailBuffer next() throws Exception {
            if (free.isEmpty()) {
                awaitOldest();
            }
            return free.remove().clear();
        }

        void add(CrailBuffer buffer, Future<CrailResult> transfer) {
            busy.add(buffer);
            transfers.add(transfer);
        }

        private void awaitOldest() throws Exception {
            long moved = transfers.remove().get().getLen();
            if (moved != RawServer.UNIT_BYTES) {
                throw new IllegalStateException("a transfer moved " + moved + " bytes");
            }
            free.add(busy.remove());
        }

        void drain() throws Exception {
            while (!transfers.isEmpty()) {
                awaitOldest();
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
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
import org.apache.crail.comparison.CloseAll;
import org.apache.crail.comparison.PeerClient;

/** Reads and writes files through direct streams, with one buffer of 1 MiB or several in flight. */
final class CrailStreams implements AutoCloseable {
    private final CrailStore store;
    private final int depth;
    private final List<CrailBuffer> buffers = new ArrayList<>();
    private CrailBuffer last;
    private CrailBuffer appended;
    private CrailOutputStream open;

    /** Has at most {@code depth} transfers in flight. */
    CrailStreams(CrailStore store, int depth) {
        this.store = store;
        this.depth = depth;
    }

    /** Writes a new file and closes it. */
    void write(String path, int units) throws Exception {
        Window window = new Window();
        CrailOutputStream stream = create(path, units);
        for (int i = 0; i < units; i++) {
            CrailBuffer buffer = window.next();
            buffer.putLong(i).position(0);
            window.add(buffer, stream.write(buffer));
        }
        window.drain();
        stream.close();
    }

    private CrailOutputStream create(String path, int units) throws Exception {
        CrailFile file = store.create(
                        path, CrailNodeType.DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false)
                .get()
                .asFile();
        return file.getDirectOutputStream((long) units * PeerClient.UNIT_BYTES);
    }

    /** Creates a file of probably so many units, which stays open. */
    void openNew(String path, int units) throws Exception {
        appended = store.allocateBuffer();
        open = create(path, units);
    }

    /** Writes a unit of zeros to the file that is open. */
    void append() throws Exception {
        long moved =
                open.write(appended.clear().limit(PeerClient.UNIT_BYTES)).get().getLen();
        checkUnit(moved);
    }

    private static void checkUnit(long moved) {
        if (moved != PeerClient.UNIT_BYTES) {
            throw new IllegalStateException("a transfer moved " + moved + " bytes");
        }
    }

    /** Reads a file, of so many units or more. */
    void read(String path, int units) throws Exception {
        CrailFile file = store.lookup(path).get().asFile();
        Window window = new Window();
        CrailInputStream stream = file.getDirectInputStream(file.getCapacity());
        for (int i = 0; i < units; i++) {
            CrailBuffer buffer = window.next();
            window.add(buffer, stream.read(buffer));
            last = buffer;
        }
        window.drain();
        stream.close();
    }

    /** The number with which the unit begins that was read last. */
    long lastUnit() {
        return last.flip().getLong();
    }

    /** Closes the file that is open, and gives the buffers back. */
    @Override
    public void close() throws IOException {
        List<AutoCloseable> all = new ArrayList<>();
        if (open != null) {
            all.add(open);
            all.add(() -> store.freeBuffer(appended));
            open = null;
        }
        buffers.forEach(buffer -> all.add(() -> store.freeBuffer(buffer)));
        buffers.clear();
        CloseAll.all(all);
    }

    /** The transfers in flight, oldest first, and the buffers that are free. */
    private final class Window {
        private final Queue<CrailBuffer> free = new ArrayDeque<>();
        private final Queue<CrailBuffer> busy = new ArrayDeque<>();
        private final Queue<Future<CrailResult>> transfers = new ArrayDeque<>();

        Window() throws Exception {
            while (buffers.size() < depth) {
                buffers.add(store.allocateBuffer());
            }
            free.addAll(buffers);
        }

        CrailBuffer next() throws Exception {
            if (free.isEmpty()) {
                awaitOldest();
            }
            return free.remove().clear().limit(PeerClient.UNIT_BYTES);
        }

        void add(CrailBuffer buffer, Future<CrailResult> transfer) {
            busy.add(buffer);
            transfers.add(transfer);
        }

        private void awaitOldest() throws Exception {
            checkUnit(transfers.remove().get().getLen());
            free.add(busy.remove());
        }

        void drain() throws Exception {
            while (!transfers.isEmpty()) {
                awaitOldest();
            }
        }
    }
}

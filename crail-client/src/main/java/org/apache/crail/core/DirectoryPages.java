/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.SlotsRequest;

/**
 * Goes through a container's records, a few pages ahead of the caller. For each page the namenode tells which nodes live
 * in its slots while the records travel; a record counts only if both agree. Not thread safe.
 */
final class DirectoryPages {
    private static final int PAGES_IN_FLIGHT = 4;

    private final StoreRuntime runtime;
    private final RecordReader reader;
    private final long fd;
    private final int slots;
    private final Deque<CompletableFuture<List<DirectoryRecord>>> pending = new ArrayDeque<>();
    private int next;

    /** Makes one for the container at {@code path}, as it was just looked up. */
    DirectoryPages(StoreRuntime runtime, String path, FileInfo container) {
        this.runtime = runtime;
        this.fd = container.getFd();
        this.slots = (int) (container.getCapacity() / runtime.settings().recordSizeBytes());
        this.reader = new RecordReader(runtime, path, fd);
    }

    /** The next page, complete or not; null at the end. */
    CompletableFuture<List<DirectoryRecord>> poll() {
        while (pending.size() < PAGES_IN_FLIGHT && next < slots) {
            int count = Math.min(reader.pageSlots(next), slots - next);
            pending.add(start(next, count));
            next += count;
        }
        return pending.poll();
    }

    /** Begins no further page. */
    void stop() {
        next = slots;
        pending.clear();
    }

    private CompletableFuture<List<DirectoryRecord>> start(int first, int count) {
        return runtime.router()
                .callForNode(fd, new SlotsRequest(fd, first, count))
                .thenCombine(
                        reader.read(first, count, slots - 1), (living, records) -> confirm(living.keys(), records));
    }

    private List<DirectoryRecord> confirm(long[] living, DirectoryRecord[] records) {
        List<DirectoryRecord> page = new ArrayList<>(records.length);
        for (int i = 0; i < records.length; i++) {
            if (records[i] != null) {
                boolean lives = i < living.length && records[i].belongsTo(fd, living[i]);
                page.add(records[i].confirmed(lives));
            }
        }
        return page;
    }
}

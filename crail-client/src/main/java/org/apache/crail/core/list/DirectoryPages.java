/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.list;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.core.block.StoreParts;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.rpc.message.OccupantsRequest;
import org.apache.crail.rpc.message.RecordKey;
import org.apache.crail.rpc.message.SlotsRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes through a container's records, a few pages ahead of the caller. For each page the namenode tells which nodes
 * live in its slots while the records travel; a record counts only if both agree, and for the rest the namenode is
 * asked for the names, as for all if the records cannot be read. Not thread safe.
 */
public final class DirectoryPages {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryPages.class);
    private static final int PAGES_IN_FLIGHT = 4;

    private final StoreParts parts;
    private final RecordReader reader;
    private final String path;
    private final long fd;
    private final int slots;
    private final Deque<CompletableFuture<List<ChildRecord>>> pending = new ArrayDeque<>();
    private volatile boolean slow;
    private int next;

    /** Makes one for the container at {@code path}, as it was just looked up. */
    public DirectoryPages(StoreParts parts, String path, FileInfo container) {
        this.parts = parts;
        this.path = path;
        this.fd = container.getFd();
        this.slots = (int) (container.getCapacity() / parts.settings().recordSizeBytes());
        this.reader = new RecordReader(parts, path, fd);
    }

    /** The next page, complete or not; null at the end. */
    public CompletableFuture<List<ChildRecord>> poll() {
        while (pending.size() < PAGES_IN_FLIGHT && next < slots) {
            int count = Math.min(reader.pageSlots(next), slots - next);
            pending.add(start(next, count));
            next += count;
        }
        return pending.poll();
    }

    /** Begins no further page. */
    public void stop() {
        next = slots;
        pending.clear();
    }

    private CompletableFuture<List<ChildRecord>> start(int first, int count) {
        return parts.router()
                .callForNode(fd, new SlotsRequest(fd, first, count))
                .thenCombine(records(first, count), (living, records) -> confirm(first, living.keys(), records))
                .thenCompose(page -> page);
    }

    /**
     * A record for each slot, null where there is none; all are null if they cannot be read, and on the pages behind
     * one that took too long.
     */
    private CompletableFuture<ChildRecord[]> records(int first, int count) {
        if (slow) {
            return CompletableFuture.completedFuture(new ChildRecord[count]);
        }
        return reader.read(first, count, slots - 1).exceptionally(failure -> {
            LOG.debug("cannot read the records of {}; the namenode is asked for names", path, failure);
            if (Waiting.typed("reading records", failure).code() == ErrorCode.TIMEOUT) {
                slow = true;
            }
            return new ChildRecord[count];
        });
    }

    private CompletableFuture<List<ChildRecord>> confirm(int first, long[] living, ChildRecord[] records) {
        List<ChildRecord> page = new ArrayList<>(records.length);
        BitSet unnamed = new BitSet();
        for (int i = 0; i < records.length; i++) {
            boolean taken = i < living.length && living[i] != RecordKey.FREE;
            boolean named = taken && records[i] != null && records[i].belongsTo(fd, living[i]);
            if (records[i] != null) {
                page.add(records[i].confirmed(named));
            }
            unnamed.set(first + i, taken && !named);
        }
        return name(unnamed, page);
    }

    /**
     * Adds the children in slots whose records are missing, unfinished, or overwritten by a late one of a former child.
     */
    private CompletableFuture<List<ChildRecord>> name(BitSet unnamed, List<ChildRecord> page) {
        if (unnamed.isEmpty()) {
            return CompletableFuture.completedFuture(page);
        }
        int first = unnamed.nextSetBit(0);
        OccupantsRequest request = new OccupantsRequest(fd, first, unnamed.length() - first);
        return parts.router().callForNode(fd, request).thenCompose(answer -> {
            int end = unnamed.length();
            for (NodeStatus child : answer.children()) {
                end = child.file().slot() + 1;
                if (unnamed.get(end - 1)) {
                    page.add(new ChildRecord(path, child.name(), child.file().getFd(), fd, true));
                }
            }
            unnamed.clear(0, answer.isLast() ? unnamed.length() : end);
            return name(unnamed, page);
        });
    }
}

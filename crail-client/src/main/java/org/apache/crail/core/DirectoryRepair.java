/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.crail.CrailPath;
import org.apache.crail.core.block.BlockMapper;
import org.apache.crail.core.block.LeasedBlock;
import org.apache.crail.core.block.StoreParts;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.core.list.ChildRecord;
import org.apache.crail.core.list.RecordReader;
import org.apache.crail.core.list.RecordWriter;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.rpc.message.ChildrenResponse;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.RecordKey;
import org.apache.crail.rpc.message.SlotsRequest;

/**
 * Compares the directory records of a container with the namenode's books, and writes those anew that a client which
 * ended too early left behind missing or torn. Children that are created or moved at the same time may be taken for
 * damaged; repairing them does no harm. Thread safe; waits for the cluster.
 */
public final class DirectoryRepair {
    private static final int WRITES_IN_FLIGHT = 256;
    private static final String WHAT = "checking directory records";

    private final CoreDataStore store;
    private final StoreParts parts;
    private final RecordWriter records;

    /** Makes one for the containers of a store. */
    public DirectoryRepair(CoreDataStore store) {
        this.store = store;
        this.parts = store.parts();
        this.records = store.runtime().records();
    }

    /**
     * What was found.
     *
     * @param path the container
     * @param children all children, by the namenode's books
     * @param enumerable those that listing shows
     * @param damaged paths of those whose record is missing, torn, or of a former name, so that who lists must ask for
     *     them
     * @param repaired how many of the damaged ones have their record again
     */
    public record Report(String path, int children, int enumerable, List<String> damaged, int repaired) {}

    /** Only looks. */
    public Report check(String path) throws Exception {
        return examine(path, false);
    }

    /** Writes the records of damaged children anew, in new blocks where the datanodes of the old ones are gone. */
    public Report repair(String path) throws Exception {
        return examine(path, true);
    }

    private Report examine(String path, boolean repair) throws Exception {
        store.checkOpen();
        CoreNode node = store.lookupNow(path);
        if (node == null) {
            throw new NodeNotFoundException("cannot check the records of " + path + ": no node has this path");
        }
        if (!node.getType().isContainer()) {
            throw new NodeTypeMismatchException(
                    "cannot check the records of " + path + ": it is a " + node.getType() + ", which has none");
        }
        CrailPath container = CrailPath.parse(path);
        if (repair) {
            replaceLostBlocks(node);
        }
        Map<Integer, NodeStatus> bySlot = new TreeMap<>();
        int children = collect(container, bySlot);
        Map<Integer, NodeStatus> damaged = damaged(container, node.getFd(), new TreeMap<>(bySlot));
        List<String> names = new ArrayList<>();
        for (NodeStatus child : damaged.values()) {
            names.add(container.child(child.name()).toString());
        }
        int repaired = repair ? rewrite(container, node.getFd(), damaged) : 0;
        return new Report(container.toString(), children, bySlot.size(), List.copyOf(names), repaired);
    }

    /** Has the namenode give the container new blocks for those whose datanodes are gone. */
    private void replaceLostBlocks(CoreNode container) throws IOException {
        long fd = container.getFd();
        int blockSizeBytes = parts.settings().blockSizeBytes();
        long position = 0;
        while (position < container.getCapacity()) {
            MapRequest request = new MapRequest(fd, MapRequest.REPAIR, position, BlockMapper.MAX_BATCH);
            int blocks = await(parts.router().callForNode(fd, request)).blocks().size();
            position += (long) blocks * blockSizeBytes;
        }
        parts.blocks().purge(fd);
    }

    /** Collects the enumerable children; answers how many there are of both kinds. */
    private int collect(CrailPath container, Map<Integer, NodeStatus> bySlot) throws IOException {
        int children = 0;
        String after = "";
        ChildrenResponse page;
        do {
            ChildrenRequest request = new ChildrenRequest(container, after, ChildrenRequest.MAX_COUNT);
            page = parts.calls().await(WHAT, parts.router().askForPath(container, request));
            for (NodeStatus child : page.children()) {
                after = child.name();
                children++;
                if (child.file().isEnumerable()) {
                    bySlot.put(child.file().slot(), child);
                }
            }
        } while (!page.isLast());
        return children;
    }

    private Map<Integer, NodeStatus> damaged(CrailPath container, long fd, NavigableMap<Integer, NodeStatus> bySlot)
            throws IOException {
        Map<Integer, NodeStatus> damaged = new TreeMap<>();
        RecordReader reader = new RecordReader(parts, container.toString(), fd);
        while (!bySlot.isEmpty()) {
            int first = bySlot.firstKey();
            int last = bySlot.lastKey();
            int count = Math.min(reader.pageSlots(first), last - first + 1);
            ChildRecord[] records = await(reader.read(first, count, last));
            Map<Integer, NodeStatus> page = bySlot.headMap(first + count);
            page.forEach((slot, child) -> {
                if (!isRight(records[slot - first], fd, child)) {
                    damaged.put(slot, child);
                }
            });
            page.clear();
        }
        return damaged;
    }

    private static boolean isRight(ChildRecord record, long container, NodeStatus child) {
        return record != null && record.belongsTo(container, key(child));
    }

    private static long key(NodeStatus child) {
        return RecordKey.of(child.file().getFd(), child.name().getBytes(StandardCharsets.UTF_8));
    }

    private int rewrite(CrailPath container, long fd, Map<Integer, NodeStatus> damaged) throws IOException {
        BlockMapper mapper = new BlockMapper(parts, fd);
        List<Future<?>> writes = new ArrayList<>();
        int repaired = 0;
        for (Map.Entry<Integer, NodeStatus> entry : damaged.entrySet()) {
            int slot = entry.getKey();
            NodeStatus child = entry.getValue();
            long[] living = await(parts.router().callForNode(fd, new SlotsRequest(fd, slot, 1)))
                    .keys();
            if (living.length == 1 && living[0] == key(child)) {
                long position = (long) slot * parts.settings().recordSizeBytes();
                LeasedBlock block = await(mapper.confirm(parts.settings().blockIndex(position)));
                ChildRecord record = new ChildRecord(
                        container.toString(), child.name(), child.file().getFd(), fd, true);
                writes.add(records.write(container, fd, slot, record, block));
                repaired++;
            }
            if (writes.size() == WRITES_IN_FLIGHT) {
                awaitAll(writes);
            }
        }
        awaitAll(writes);
        return repaired;
    }

    private void awaitAll(List<Future<?>> writes) throws IOException {
        for (Future<?> write : writes) {
            Object ignored = await(write);
        }
        writes.clear();
    }

    private <T> T await(Future<T> future) throws IOException {
        return Waiting.await(WHAT, future, parts.calls().waitLimitMs());
    }
}

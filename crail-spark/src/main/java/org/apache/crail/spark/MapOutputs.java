/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.spark.storage.BlockManagerId;
import scala.Option;

/**
 * The files of an application's map outputs, as one process knows them: {@code /spark/application/shuffle/map task}. A
 * file is found by one lookup and one read of its end. What was found is kept, for up to {@link #MOST_KEPT_OFFSETS}
 * partitions in all. Thread safe.
 */
final class MapOutputs {
    /** 8 MiB of them. */
    private static final int MOST_KEPT_OFFSETS = 1 << 20;

    /** More than any file has. */
    private static final long ALL_BYTES = 1L << 50;

    private static final String LOCATION = "crail-";

    private final CrailStore store;
    private final String directory;

    /** Guarded by itself; the one that was not asked for the longest time is the first. */
    private final Map<Id, CompletableFuture<MapOutput>> known = new LinkedHashMap<>(16, 0.75f, true);

    /** Guarded by known. */
    private long keptOffsets;

    private record Id(int shuffleId, long mapId, int partitions) {}

    MapOutputs(CrailStore store, String directory) {
        this.store = store;
        this.directory = directory;
    }

    CrailStore store() {
        return store;
    }

    static String directory(String application, int shuffleId) {
        return application + "/" + shuffleId;
    }

    String path(int shuffleId, long mapId) {
        return directory(directory, shuffleId) + "/" + mapId;
    }

    /** What the driver knows as the place of an output: an executor that never was, on the host of its writer. */
    static BlockManagerId location(int shuffleId, long mapId, String host) {
        return BlockManagerId.apply(LOCATION + shuffleId + "-" + mapId, host, 1, Option.empty());
    }

    static boolean isLocation(BlockManagerId location) {
        return location != null && location.executorId().startsWith(LOCATION);
    }

    /** Makes a directory, unless it is there. */
    static void createDirectory(CrailStore store, String path) throws IOException {
        createContainer(store, path, CrailNodeType.DIRECTORY);
    }

    /** Makes a table, unless it is there. */
    static void createTable(CrailStore store, String path) throws IOException {
        createContainer(store, path, CrailNodeType.TABLE);
    }

    private static void createContainer(CrailStore store, String path, CrailNodeType type) throws IOException {
        try {
            Object ignored = StoreCalls.await(
                    "creating " + path,
                    () -> store.create(path, type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, true));
        } catch (NodeExistsException e) {
            // made before, or by another task
        }
    }

    /**
     * Makes the file of an output, with blocks on this host if it has some, and the directory of the shuffle for the
     * first one. A task that outlives its application finds no place for it.
     */
    CrailFile create(int shuffleId, long mapId) throws IOException {
        String path = path(shuffleId, mapId);
        try {
            return createFile(path);
        } catch (ParentNotFoundException e) {
            createDirectory(store, directory(directory, shuffleId));
            return createFile(path);
        }
    }

    private CrailFile createFile(String path) throws IOException {
        CrailNode node = StoreCalls.await(
                "creating " + path,
                () -> store.create(
                        path, CrailNodeType.DATAFILE, CrailStorageClass.DEFAULT, store.getLocationClass(), false));
        return StoreCalls.io("creating " + path, node::asFile);
    }

    /** Deletes the file of an output, if there is one. */
    void delete(int shuffleId, long mapId) throws IOException {
        String path = path(shuffleId, mapId);
        Object ignored = StoreCalls.await("deleting " + path, () -> store.delete(path, false));
    }

    /** Where the blocks of an output are; null if it is not there. */
    Future<List<CrailBlockLocation>> places(int shuffleId, long mapId) throws IOException {
        String path = path(shuffleId, mapId);
        return StoreCalls.io("locating " + path, () -> store.namespace().locate(path, 0, ALL_BYTES));
    }

    /**
     * Finds an output. The future is shared; what depends on it may run in a thread of the store.
     *
     * @return failures: a {@link BrokenOutputException} if there is no whole one, or a failure of the store
     */
    CompletableFuture<MapOutput> find(int shuffleId, long mapId, int partitions) {
        Id id = new Id(shuffleId, mapId, partitions);
        CompletableFuture<MapOutput> found = new CompletableFuture<>();
        synchronized (known) {
            CompletableFuture<MapOutput> before = known.putIfAbsent(id, found);
            if (before != null) {
                return before;
            }
            keptOffsets += partitions;
            shrink();
        }
        ask(id).whenComplete((output, failure) -> {
            if (failure == null) {
                found.complete(output);
            } else {
                forget(id, found);
                found.completeExceptionally(failure);
            }
        });
        return found;
    }

    private void shrink() {
        Iterator<Id> oldest = known.keySet().iterator();
        while (keptOffsets > MOST_KEPT_OFFSETS && known.size() > 1) {
            keptOffsets -= oldest.next().partitions;
            oldest.remove();
        }
    }

    private void forget(Id id, CompletableFuture<MapOutput> found) {
        synchronized (known) {
            if (known.remove(id, found)) {
                keptOffsets -= id.partitions;
            }
        }
    }

    /** Asks again when an output is wanted next. */
    void forget(int shuffleId, long mapId) {
        forgetIf(shuffleId, mapId, false);
    }

    /** Forgets all outputs of a shuffle. */
    void forget(int shuffleId) {
        forgetIf(shuffleId, 0, true);
    }

    private void forgetIf(int shuffleId, long mapId, boolean all) {
        synchronized (known) {
            known.keySet().removeIf(id -> {
                boolean isMeant = id.shuffleId == shuffleId && (all || id.mapId == mapId);
                keptOffsets -= isMeant ? id.partitions : 0;
                return isMeant;
            });
        }
    }

    private CompletableFuture<MapOutput> ask(Id id) {
        String path = path(id.shuffleId, id.mapId);
        try {
            return store.lookup(path).toCompletableFuture().thenCompose(node -> readIndex(path, node, id.partitions));
        } catch (Exception e) { // as declared
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<MapOutput> readIndex(String path, CrailNode node, int partitions) {
        try {
            if (node == null) {
                throw new BrokenOutputException(path + " is not there");
            }
            CrailFile file = node.asFile();
            long fileBytes = file.getCapacity();
            ByteBuffer tail = ByteBuffer.allocateDirect(PartitionIndex.mostTailBytes(partitions, fileBytes));
            return FileReads.fill(file, fileBytes - tail.capacity(), List.of(OffHeapBuffer.wrap(tail)))
                    .thenCompose(done -> decode(file, tail.clear(), partitions));
        } catch (Exception e) { // as declared
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<MapOutput> decode(CrailFile file, ByteBuffer tail, int partitions) {
        try {
            PartitionIndex index = PartitionIndex.decode(tail, partitions, file.getCapacity());
            return CompletableFuture.completedFuture(new MapOutput(file, index));
        } catch (BrokenOutputException e) {
            return CompletableFuture.failedFuture(new BrokenOutputException(file.getPath() + ": " + e.getMessage()));
        }
    }
}

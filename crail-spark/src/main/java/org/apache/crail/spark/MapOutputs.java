/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.spark.storage.BlockManagerId;
import scala.Option;

/**
 * The files of an application's map outputs, as one process knows them: {@code directory/shuffle/map task}. A file is
 * found by one lookup and one read of its end. Thread safe.
 */
final class MapOutputs {
    /** More than any file has. */
    private static final long ALL_BYTES = 1L << 50;

    private static final String LOCATION = "crail-";

    private final CrailStore store;
    private final String directory;

    private final IndexCache known = new IndexCache();

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

    /**
     * Makes the file of an output, with blocks on this host if it has some, and the directory of the shuffle for the
     * first one. The application's directory is made, too, if a namenode that has lost all started anew.
     */
    CrailFile create(int shuffleId, long mapId) throws IOException {
        String path = path(shuffleId, mapId);
        try {
            return createFile(path);
        } catch (ParentNotFoundException e) {
            ApplicationDirectory.ensure(store, directory);
            ApplicationDirectory.createDirectory(store, directory(directory, shuffleId));
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
    Upcoming<List<CrailBlockLocation>> places(int shuffleId, long mapId) throws IOException {
        String path = path(shuffleId, mapId);
        return StoreCalls.io("locating " + path, () -> store.namespace().locate(path, 0, ALL_BYTES));
    }

    /** Asks the namenode who did not answer when an output was read; the future does not fail. */
    CompletableFuture<FetchFailures> behindSilence(int shuffleId, long mapId) {
        try {
            return places(shuffleId, mapId).toCompletableFuture().handle(FetchFailures::behindSilence);
        } catch (IOException e) {
            return CompletableFuture.completedFuture(FetchFailures.behindSilence(null, e));
        }
    }

    /**
     * Finds an output. The future is shared; what depends on it may run in a thread of the store.
     *
     * @return failures: a {@link BrokenOutputException} if there is no whole one, or a failure of the store
     */
    CompletableFuture<MapOutput> find(int shuffleId, long mapId, int partitions) {
        return known.find(shuffleId, mapId, partitions, () -> ask(path(shuffleId, mapId), partitions));
    }

    /** Asks again when an output is wanted next. */
    void forget(int shuffleId, long mapId) {
        known.forget(shuffleId, mapId);
    }

    /** Forgets all outputs of a shuffle. */
    void forget(int shuffleId) {
        known.forget(shuffleId);
    }

    private CompletableFuture<MapOutput> ask(String path, int partitions) {
        try {
            return store.lookup(path).toCompletableFuture().thenCompose(node -> readIndex(path, node, partitions));
        } catch (Exception | Error e) { // whoever waits for it has to hear of it
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.memory.OffHeapBuffer;

/**
 * The map outputs of an application, as one process knows them, in files {@code directory/shuffle/file}. An output is
 * found by one lookup and one read of its end, behind the first block of a file with a call for its block between.
 * Thread safe.
 */
final class MapOutputs {
    private final CrailStore store;
    private final String directory;
    private final CrailStorageClass storageClass;

    private final IndexCache known = new IndexCache();
    private final AppendFiles appended = new AppendFiles(new Files());

    /** By attempt of a map task, from its commit until Spark is told. */
    private final Map<Long, OutputPlace> committed = new ConcurrentHashMap<>();

    /** Outputs that are made here ask for blocks of a class first. */
    MapOutputs(CrailStore store, String directory, CrailStorageClass storageClass) {
        this.store = store;
        this.directory = directory;
        this.storageClass = storageClass;
    }

    CrailStore store() {
        return store;
    }

    static String directory(String application, int shuffleId) {
        return application + "/" + shuffleId;
    }

    private String path(OutputPlace place) {
        return path(place.shuffleId(), place.file());
    }

    String path(int shuffleId, String file) {
        return directory(directory, shuffleId) + "/" + file;
    }

    private final class Files implements AppendFiles.Directory {
        @Override
        public CrailFile create(int shuffleId, String name) throws IOException {
            return MapOutputs.this.create(shuffleId, name);
        }

        @Override
        public void delete(int shuffleId, String name) throws IOException {
            MapOutputs.this.delete(shuffleId, name);
        }
    }

    /** Stores a small output behind others. */
    OutputPlace append(int shuffleId, long mapId, AppendFiles.Output output) throws IOException {
        return appended.append(shuffleId, mapId, output);
    }

    /**
     * Makes a file of a shuffle, with blocks on this host if it has some, and the directory of the shuffle for the
     * first one. The application's directory is made, too, if a namenode that has lost all started anew.
     */
    CrailFile create(int shuffleId, String name) throws IOException {
        String path = path(shuffleId, name);
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
                () -> store.create(path, CrailNodeType.DATAFILE, storageClass, store.getLocationClass(), false));
        return StoreCalls.io("creating " + path, node::asFile);
    }

    /** An output is whole, and its task is about to end. */
    void committed(OutputPlace place) {
        committed.put(place.mapId(), place);
    }

    /** Where the output of an attempt is; to be asked once when its task has ended. */
    Optional<OutputPlace> takeCommitted(long mapId) {
        return Optional.ofNullable(committed.remove(mapId));
    }

    /** Deletes a file of a shuffle, if there is one. */
    void delete(int shuffleId, String name) throws IOException {
        String path = path(shuffleId, name);
        Object ignored = StoreCalls.await("deleting " + path, () -> store.delete(path, false));
    }

    /** Where the blocks of an output are; null if it is not there. */
    Upcoming<List<CrailBlockLocation>> places(OutputPlace place) throws IOException {
        String path = path(place);
        return StoreCalls.io("locating " + path, () -> store.namespace().locate(path, place.begin(), place.bytes()));
    }

    /** Asks the namenode who did not answer when an output was read; the future does not fail. */
    CompletableFuture<FetchFailures> behindSilence(OutputPlace place) {
        try {
            return places(place).toCompletableFuture().handle(FetchFailures::behindSilence);
        } catch (IOException e) {
            return CompletableFuture.completedFuture(FetchFailures.behindSilence(null, e));
        }
    }

    /**
     * Finds an output. The future is shared; what depends on it may run in a thread of the store.
     *
     * @return failures: a {@link BrokenOutputException} if there is no whole one, or a failure of the store
     */
    CompletableFuture<MapOutput> find(OutputPlace place, int partitions) {
        return known.find(place.shuffleId(), place.mapId(), partitions, () -> ask(place, partitions));
    }

    /** Asks again when an output is wanted next. */
    void forget(OutputPlace place) {
        known.forget(place.shuffleId(), place.mapId());
    }

    /** Forgets all outputs of a shuffle. */
    void forget(int shuffleId) {
        known.forget(shuffleId);
        appended.end(shuffleId);
    }

    private CompletableFuture<MapOutput> ask(OutputPlace place, int partitions) {
        try {
            return store.lookup(path(place))
                    .toCompletableFuture()
                    .thenCompose(node -> readIndex(path(place), node, place, partitions));
        } catch (Exception | Error e) { // whoever waits for it has to hear of it
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<MapOutput> readIndex(
            String path, CrailNode node, OutputPlace place, int partitions) {
        try {
            if (node == null) {
                throw new BrokenOutputException(path + " is not there");
            }
            CrailFile file = node.asFile();
            ByteBuffer tail = ByteBuffer.allocateDirect(PartitionIndex.mostTailBytes(partitions, place.bytes()));
            return FileReads.fill(file, place.end() - tail.capacity(), List.of(OffHeapBuffer.wrap(tail)))
                    .thenCompose(done -> decode(file, place, tail.clear(), partitions));
        } catch (Exception e) { // as declared
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<MapOutput> decode(
            CrailFile file, OutputPlace place, ByteBuffer tail, int partitions) {
        try {
            PartitionIndex index = PartitionIndex.decode(tail, partitions, place.bytes());
            return CompletableFuture.completedFuture(new MapOutput(file, place.begin(), index));
        } catch (BrokenOutputException e) {
            return CompletableFuture.failedFuture(new BrokenOutputException(file.getPath() + ": " + e.getMessage()));
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.spark.CleanerListener;
import org.apache.spark.ContextCleaner;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.StorageLevel;

/**
 * The broadcasts of an application, as its driver knows them: values of a table, which is made for the first one. All
 * methods are thread safe.
 */
final class BroadcastTable implements AutoCloseable {
    /** Numbers above are those of {@link CrailBroadcast#of}; Spark counts from zero. */
    private static final long FIRST_OWN = 1L << 62;

    private static final String TABLE = "/broadcasts";
    private static final long REST_NS = TimeUnit.MINUTES.toNanos(1);

    private static volatile BroadcastTable current;

    private final SparkConf conf;
    private final SharedStore store;
    private final int mostBytes;
    private final LongSupplier clockNs;
    private final AtomicLong nextId = new AtomicLong(FIRST_OWN);
    private final Set<Long> stored = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isListening = new AtomicBoolean();

    /** When the store failed last; null if it never did. */
    private volatile Long failedNs;

    /** Null before the first broadcast; guarded by this. */
    private ApplicationDirectory directory;

    /** The one of the driver's process, until it is closed. */
    BroadcastTable(SparkConf conf, SharedStore store) {
        this(conf, store, BroadcastBytes.MOST_BYTES, System::nanoTime);
    }

    /** As {@link #BroadcastTable(SparkConf, SharedStore)}, with another bound of a value and another clock. */
    BroadcastTable(SparkConf conf, SharedStore store, int mostBytes, LongSupplier clockNs) {
        this.conf = conf;
        this.store = store;
        this.mostBytes = mostBytes;
        this.clockNs = clockNs;
        current = this;
    }

    /** Null if there is none in this process. */
    static BroadcastTable current() {
        return current;
    }

    long nextId() {
        return nextId.getAndIncrement();
    }

    /** Whether the store failed within the last minute, so that Spark's threads had better not wait for it. */
    boolean isResting() {
        Long lastNs = failedNs;
        return lastNs != null && clockNs.getAsLong() - lastNs < REST_NS;
    }

    /** Stores a value, and keeps it in the driver, too. */
    <T> CrailBroadcast<T> put(long id, T value, StorageLevel level) throws IOException {
        ByteBuffer bytes = BroadcastBytes.of(value, mostBytes);
        String path = store(id, bytes);
        boolean isKept = false;
        try {
            BlockManager blocks = SparkEnv.get().blockManager();
            isKept = StoreCalls.io(
                    "keeping " + path,
                    () -> blocks.putSingle(CrailBroadcast.blockId(id), value, level, true, BroadcastBytes.<T>any()));
        } finally {
            if (!isKept) {
                remove(id);
            }
        }
        if (!isKept) {
            throw new IOException("broadcast " + id + " finds no room in the driver");
        }
        int checksum = BroadcastBytes.checksum(bytes);
        BroadcastBytes.Place place = new BroadcastBytes.Place(path, bytes.remaining(), checksum);
        return new CrailBroadcast<>(id, place, value, !level.deserialized());
    }

    /** Returns the path of the value. */
    private String store(long id, ByteBuffer bytes) throws IOException {
        try {
            ApplicationDirectory home = directory();
            String path = path(home, id);
            try {
                store(home, path, bytes);
            } catch (ParentNotFoundException e) { // a namenode that has lost all started anew
                create(home);
                store(home, path, bytes);
            }
            stored.add(id);
            return path;
        } catch (InterruptedIOException e) {
            throw e; // says nothing of the store
        } catch (IOException e) {
            failedNs = clockNs.getAsLong();
            throw e;
        }
    }

    private void store(ApplicationDirectory home, String path, ByteBuffer bytes) throws IOException {
        CompletableFuture<Void> put = store.open().put(path, bytes.duplicate());
        try {
            Object ignored = StoreCalls.await("storing " + path, () -> put);
        } catch (ParentNotFoundException e) {
            throw e; // nothing is there
        } catch (IOException | RuntimeException e) {
            home.deleteBehind(put, path); // it may still end well
            throw e;
        }
    }

    private synchronized ApplicationDirectory directory() throws IOException {
        if (directory == null) {
            directory = ApplicationDirectory.use(store.open(), StoreSettings.directoryOrNew(conf));
        }
        return directory;
    }

    private void create(ApplicationDirectory home) throws IOException {
        ApplicationDirectory.ensure(store.open(), home.path());
        ApplicationDirectory.createTable(store.open(), home.path() + TABLE);
    }

    private static String path(ApplicationDirectory home, long id) {
        return home.path() + TABLE + "/" + id;
    }

    /** Deletes the value when nobody in the driver refers to the variable, as Spark does with its own. */
    void cleanBehind(SparkContext spark, CrailBroadcast<?> variable) {
        if (spark.cleaner().isDefined()) {
            ContextCleaner cleaner = spark.cleaner().get();
            if (!isListening.getAndSet(true)) {
                cleaner.attachListener(new Removal());
            }
            cleaner.registerBroadcastForCleanup(variable);
        }
    }

    /** Deletes a value, if it is one of this table. */
    void remove(long id) {
        if (stored.remove(id)) {
            ApplicationDirectory known;
            synchronized (this) {
                known = directory;
            }
            known.delete(path(known, id));
        }
    }

    @Override
    public void close() {
        current = null;
        stored.clear();
        synchronized (this) {
            if (directory != null) {
                directory.leave();
            }
        }
    }

    /** Spark removes the copies of a variable, and tells of it. */
    private final class Removal implements CleanerListener {
        @Override
        public void broadcastCleaned(long broadcastId) {
            remove(broadcastId);
        }

        @Override
        public void rddCleaned(int rddId) {}

        @Override
        public void shuffleCleaned(int shuffleId) {}

        @Override
        public void accumCleaned(long accId) {}

        @Override
        public void checkpointCleaned(long rddId) {}
    }
}

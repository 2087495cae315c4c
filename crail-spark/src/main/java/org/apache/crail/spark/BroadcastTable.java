/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.StorageLevel;

/**
 * The broadcasts of an application, as its driver knows them: values of a table, which is made for the first one. All
 * methods are thread safe.
 */
final class BroadcastTable implements AutoCloseable {
    /** Numbers above are those of {@link CrailBroadcast#of}; Spark counts from zero. */
    private static final long FIRST_OWN = 1L << 62;

    private static final String TABLE = "/broadcasts";

    private static volatile BroadcastTable current;

    private final SparkConf conf;
    private final SharedStore store;
    private final AtomicLong nextId = new AtomicLong(FIRST_OWN);
    private final Set<Long> stored = ConcurrentHashMap.newKeySet();

    /** Null before the first broadcast; guarded by this. */
    private ApplicationDirectory directory;

    /** The one of the driver's process, until it is closed. */
    BroadcastTable(SparkConf conf, SharedStore store) {
        this.conf = conf;
        this.store = store;
        current = this;
    }

    /** Null if there is none in this process. */
    static BroadcastTable current() {
        return current;
    }

    long nextId() {
        return nextId.getAndIncrement();
    }

    /** Stores a value, and keeps it in the driver, too. */
    <T> CrailBroadcast<T> put(long id, T value, StorageLevel level) throws IOException {
        ByteBuffer bytes = BroadcastBytes.of(value);
        String path = path(id);
        BroadcastBytes.Place place = new BroadcastBytes.Place(path, bytes.remaining(), BroadcastBytes.checksum(bytes));
        Object ignored = StoreCalls.await("storing " + path, () -> store.open().put(path, bytes));
        stored.add(id);
        boolean isKept = SparkEnv.get()
                .blockManager()
                .putSingle(CrailBroadcast.blockId(id), value, level, true, BroadcastBytes.<T>any());
        if (!isKept) {
            remove(id);
            throw new IOException("broadcast " + id + " finds no room in the driver");
        }
        return new CrailBroadcast<>(id, place);
    }

    private synchronized String path(long id) throws IOException {
        if (directory == null) {
            ApplicationDirectory made = ApplicationDirectory.use(store.open(), StoreSettings.directoryOrNew(conf));
            ApplicationDirectory.createTable(store.open(), made.path() + TABLE);
            directory = made;
        }
        return directory.path() + TABLE + "/" + id;
    }

    /** Deletes a value, if it is one of this table. */
    void remove(long id) {
        if (stored.remove(id)) {
            ApplicationDirectory known;
            synchronized (this) {
                known = directory;
            }
            known.delete(known.path() + TABLE + "/" + id);
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
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.ObjectOutputStream;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.StorageLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * A variable that an executor reads from Crail, once for all of its tasks. If it cannot be had there, the driver sends
 * it. The value goes with {@link #destroy}, when nobody in the driver refers to the variable, or with the application.
 * Thread safe.
 *
 * @param <T> type of the value
 */
public final class CrailBroadcast<T> extends Broadcast<T> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(CrailBroadcast.class);

    /** Up to so many bytes a value is read again sooner than Spark keeps it, if no task refers to it any more. */
    private static final int SMALL_BYTES = 4 << 10;

    /** One for each variable that a task of this process is about to read. */
    private static final Map<Long, Object> LOCKS = new ConcurrentHashMap<>();

    private static final LiveValues LIVE = new LiveValues();

    private final BroadcastBytes.Place place;

    /** In the driver, of a value that Spark keeps as bytes only. */
    private final transient boolean isShortLived;

    private transient volatile Reference<T> known;

    /** As its driver makes it, which has the value. */
    CrailBroadcast(long id, BroadcastBytes.Place place, T value, boolean isShortLived) {
        super(id, BroadcastBytes.any());
        this.place = place;
        this.isShortLived = isShortLived;
        this.known = reference(value);
    }

    private Reference<T> reference(T value) {
        return isShortLived ? new WeakReference<>(value) : new SoftReference<>(value);
    }

    /**
     * Makes a variable; to be called in the driver, which has {@code spark.plugins=}{@link CrailPlugin}.
     *
     * @param value may be changed by nobody any more; of any class that Spark's serializer takes
     * @throws IllegalStateException if there is no plugin, or with encryption
     * @throws IOException if the value cannot be stored, or takes more than 256 MiB, serialized and compressed
     */
    public static <T> CrailBroadcast<T> of(SparkContext spark, T value) throws IOException {
        spark.assertNotStopped();
        BroadcastTable table = BroadcastTable.current();
        if (table == null) {
            throw new IllegalStateException("CrailBroadcast needs spark.plugins=" + CrailPlugin.class.getName()
                    + ", and does not go with spark.io.encryption.enabled=true");
        }
        CrailBroadcast<T> variable = table.put(table.nextId(), value, StorageLevel.MEMORY_AND_DISK());
        table.cleanBehind(spark, variable);
        return variable;
    }

    @Override
    public T getValue() {
        Reference<T> reference = known;
        T value = reference == null ? null : reference.get();
        if (value == null) {
            value = valueOfProcess();
            known = reference(value);
        }
        return value;
    }

    @SuppressWarnings("unchecked") // the driver has made one
    private T valueOfProcess() {
        Object lock = LOCKS.computeIfAbsent(id(), id -> new Object());
        try {
            synchronized (lock) {
                Object value = LIVE.get(place.path());
                if (value == null) {
                    value = localOrFetched();
                    LIVE.put(place.path(), value);
                }
                return (T) value;
            }
        } finally {
            LOCKS.remove(id(), lock);
        }
    }

    private Object localOrFetched() {
        BlockManager blocks = SparkEnv.get().blockManager();
        Object value = single(blocks.getLocalValues(blockId(id())));
        if (value == null) {
            value = fetch(blocks);
            if (place.length() <= SMALL_BYTES) {
                return value;
            }
            blocks.putSingle(blockId(id()), value, StorageLevel.MEMORY_AND_DISK(), false, BroadcastBytes.any());
        }
        return value;
    }

    private Object fetch(BlockManager blocks) {
        try {
            return BroadcastBytes.read(place);
        } catch (InterruptedIOException e) {
            throw Unchecked.unchecked(e);
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} comes from the driver, as it cannot be read from {}", this, place.path(), e);
            Object value = single(blocks.get(blockId(id()), BroadcastBytes.any()));
            if (value == null) {
                throw Unchecked.unchecked(new IOException(
                        this + " is neither at " + place.path() + " nor at the driver; has it been destroyed?", e));
            }
            return value;
        }
    }

    /** The only value of a block, whose lock ends with it. */
    private static Object single(Option<BlockResult> found) {
        if (found.isEmpty()) {
            return null;
        }
        var values = found.get().data();
        Object value = values.next();
        boolean more = values.hasNext(); // lets go of the block
        assert !more;
        return value;
    }

    static BroadcastBlockId blockId(long id) {
        return new BroadcastBlockId(id, "");
    }

    @Override
    public void doUnpersist(boolean blocking) {
        removeCopies(id(), false, blocking);
    }

    @Override
    public void doDestroy(boolean blocking) {
        removeCopies(id(), true, blocking);
        BroadcastTable table = BroadcastTable.current();
        if (table != null) {
            table.remove(id());
        }
    }

    /** A task could not read it any more. */
    private void writeObject(ObjectOutputStream out) throws IOException {
        StoreCalls.run("sending " + this, this::assertValid);
        out.defaultWriteObject();
    }

    private static void removeCopies(long id, boolean alsoOfDriver, boolean blocking) {
        SparkEnv.get().blockManager().master().removeBroadcast(id, alsoOfDriver, blocking);
    }
}

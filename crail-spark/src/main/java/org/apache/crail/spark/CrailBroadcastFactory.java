/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.lang.reflect.Field;
import org.apache.spark.SparkConf;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.broadcast.BroadcastFactory;
import org.apache.spark.broadcast.BroadcastManager;
import org.apache.spark.storage.StorageLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.reflect.ClassTag;

/** Makes all variables of a driver in Crail, or as Spark does where that fails. Thread safe. */
final class CrailBroadcastFactory implements BroadcastFactory {
    private static final Logger LOG = LoggerFactory.getLogger(CrailBroadcastFactory.class);

    private final BroadcastTable table;
    private final BroadcastFactory spark;

    private CrailBroadcastFactory(BroadcastTable table, BroadcastFactory spark) {
        this.table = table;
        this.spark = spark;
    }

    /** Takes the place of Spark's own, which no setting does; warns if it cannot. */
    static void install(BroadcastManager manager, BroadcastTable table) {
        try {
            Field field = BroadcastManager.class.getDeclaredField("broadcastFactory");
            field.setAccessible(true);
            field.set(manager, new CrailBroadcastFactory(table, (BroadcastFactory) field.get(manager)));
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("Broadcasts do not go through Crail, as this Spark is not known", e);
        }
    }

    @Override
    public void initialize(boolean isDriver, SparkConf conf) {
        // Spark has called that of its own
    }

    @Override
    public <T> Broadcast<T> newBroadcast(T value, boolean isLocal, long id, boolean serializedOnly, ClassTag<T> tag) {
        if (!isLocal && !table.isResting()) {
            try {
                return table.put(
                        id,
                        value,
                        serializedOnly ? StorageLevel.MEMORY_AND_DISK_SER() : StorageLevel.MEMORY_AND_DISK());
            } catch (IOException | RuntimeException e) {
                LOG.warn("Broadcast {} does not go through Crail", id, e);
            }
        }
        return spark.newBroadcast(value, isLocal, id, serializedOnly, tag);
    }

    @Override
    public void unbroadcast(long id, boolean removeFromDriver, boolean blocking) {
        spark.unbroadcast(id, removeFromDriver, blocking);
        if (removeFromDriver) {
            table.remove(id);
        }
    }

    @Override
    public void stop() {
        spark.stop();
    }
}

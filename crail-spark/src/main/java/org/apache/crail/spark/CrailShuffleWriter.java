/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.storage.BlockManagerId;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/**
 * One of Spark's own writers, whose output has a location of its own: that of no executor. So a failed fetch
 * unregisters this output and no other. Used by one task.
 */
final class CrailShuffleWriter<K, V> extends ShuffleWriter<K, V> {
    private final ShuffleWriter<K, V> writer;
    private final BlockManagerId location;

    CrailShuffleWriter(ShuffleWriter<K, V> writer, BlockManagerId location) {
        this.writer = writer;
        this.location = location;
    }

    @Override
    public void write(Iterator<Product2<K, V>> records) throws IOException {
        writer.write(records);
    }

    @Override
    public Option<MapStatus> stop(boolean success) {
        Option<MapStatus> status = writer.stop(success);
        if (status.isDefined()) {
            status.get().updateLocation(location);
        }
        return status;
    }

    @Override
    public long[] getPartitionLengths() {
        return writer.getPartitionLengths();
    }
}

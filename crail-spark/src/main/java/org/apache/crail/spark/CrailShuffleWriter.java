/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.util.Optional;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriter;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/**
 * One of Spark's own writers, whose output has a location of its own: that of no executor. So a failed fetch
 * unregisters this output and no other. Used by one task.
 */
final class CrailShuffleWriter<K, V> extends ShuffleWriter<K, V> {
    private final ShuffleWriter<K, V> writer;
    private final MapOutputs outputs;
    private final long mapId;
    private final String host;

    /** For an attempt of a map task on a host. */
    CrailShuffleWriter(ShuffleWriter<K, V> writer, MapOutputs outputs, long mapId, String host) {
        this.writer = writer;
        this.outputs = outputs;
        this.mapId = mapId;
        this.host = host;
    }

    @Override
    public void write(Iterator<Product2<K, V>> records) throws IOException {
        writer.write(records);
    }

    @Override
    public Option<MapStatus> stop(boolean success) {
        Option<MapStatus> status = writer.stop(success);
        Optional<OutputPlace> place = outputs.takeCommitted(mapId);
        if (status.isDefined()) {
            status.get().updateLocation(place.orElseThrow().location(host));
        }
        return status;
    }

    @Override
    public long[] getPartitionLengths() {
        return writer.getPartitionLengths();
    }
}

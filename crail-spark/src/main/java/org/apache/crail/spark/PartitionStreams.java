/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in a stream of the serializer for each partition, encoded at once. It fits any serializer. Each stream has
 * memory of its codec, so it is for few partitions. Used by one task.
 */
final class PartitionStreams implements MapRecords {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionStreams.class);

    private final PartitionBuffers buffers;
    private final SerializerInstance serializer;
    private final Encoder encoder;

    /** Null where there is none yet, and when it has been closed: not each can be closed twice. */
    private final SerializationStream[] streams;

    PartitionStreams(int partitions, PartitionBuffers buffers, SerializerInstance serializer, Encoder encoder) {
        this.buffers = buffers;
        this.serializer = serializer;
        this.encoder = encoder;
        this.streams = new SerializationStream[partitions];
    }

    @Override
    public void add(int partition, Object key, Object value) {
        SerializationStream stream = streams[partition];
        if (stream == null) {
            stream = serializer.serializeStream(encoder.wrap(partition, buffers.stream(partition)));
            streams[partition] = stream;
        }
        MapRecords.write(stream, key, value);
    }

    @Override
    public void finish() {
        for (int i = 0; i < streams.length; i++) {
            close(i);
        }
    }

    private void close(int partition) {
        SerializationStream closing = streams[partition];
        if (closing != null) {
            streams[partition] = null;
            closing.close();
        }
    }

    @Override
    public void writeTo(int partition, OutputStream target) throws IOException {
        buffers.writeTo(partition, target);
    }

    /** Codecs have memory of their own. */
    @Override
    public void discard() {
        for (int i = 0; i < streams.length; i++) {
            try {
                close(i);
            } catch (Exception e) { // Scala's methods do not declare what they throw
                LOG.debug("a stream of a task that has failed does not close", e);
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;

/**
 * Records of a serializer whose bytes can be moved: one stream serializes them all, and the bytes of each go to its
 * partition. They are encoded when a partition is given, so that any number of partitions needs one codec.
 * Used by one task.
 */
final class RelocatableRecords implements MapRecords {
    private final PartitionBuffers buffers;
    private final Encoder encoder;

    /** What the stream writes: one record at a time. Null when there are no more, as one may have been large. */
    private ByteArrayOutputStream record = new ByteArrayOutputStream();

    private final SerializationStream stream;

    RelocatableRecords(PartitionBuffers buffers, SerializerInstance serializer, Encoder encoder) {
        this.buffers = buffers;
        this.encoder = encoder;
        this.stream = serializer.serializeStream(record);
    }

    @Override
    public void add(int partition, Object key, Object value) throws IOException {
        record.reset();
        MapRecords.write(stream, key, value);
        stream.flush();
        record.writeTo(buffers.stream(partition));
    }

    @Override
    public void finish() {
        stream.close();
        discard();
    }

    @Override
    public void writeTo(int partition, OutputStream target) throws IOException {
        try (OutputStream encoded = encoder.wrap(partition, target)) {
            buffers.writeTo(partition, encoded);
        }
    }

    /** The stream need not be closed, as it has no codec. */
    @Override
    public void discard() {
        record = null;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.spark.shuffle.api.ShuffleMapOutputWriter;
import org.apache.spark.shuffle.api.ShufflePartitionWriter;
import org.apache.spark.shuffle.api.metadata.MapOutputCommitMessage;

/**
 * Writes the file of one attempt of a map task: its partitions in order, then their index. Nobody looks for the file
 * before Spark's driver knows of the commit. Used by one task.
 */
final class MapOutputWriter implements ShuffleMapOutputWriter {
    private static final int COPY_BYTES = 64 * 1024;

    private final MapOutputs outputs;
    private final int shuffleId;
    private final long mapId;
    private final long[] lengths;

    /** Null until something is written. */
    private CrailBufferedOutputStream out;

    MapOutputWriter(MapOutputs outputs, int shuffleId, long mapId, int partitions) {
        this.outputs = outputs;
        this.shuffleId = shuffleId;
        this.mapId = mapId;
        this.lengths = new long[partitions];
    }

    @Override
    public ShufflePartitionWriter getPartitionWriter(int reducePartitionId) {
        return new ShufflePartitionWriter() {
            @Override
            public OutputStream openStream() throws IOException {
                return new PartitionStream(out(), reducePartitionId);
            }

            @Override
            public long getNumBytesWritten() {
                return lengths[reducePartitionId];
            }
        };
    }

    @Override
    public MapOutputCommitMessage commitAllPartitions(long[] checksums) throws IOException {
        out().write(PartitionIndex.encode(lengths));
        out().close();
        return MapOutputCommitMessage.of(lengths);
    }

    /** Writes and commits all partitions at once; the caller keeps their file. */
    void writeAll(File partitions, long[] partitionLengths) throws IOException {
        try (InputStream in = new FileInputStream(partitions)) {
            byte[] bytes = new byte[COPY_BYTES];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                out().write(bytes, 0, read);
            }
            System.arraycopy(partitionLengths, 0, lengths, 0, lengths.length);
            commitAllPartitions(new long[0]);
        } catch (IOException | RuntimeException e) {
            abort(e);
            throw e;
        }
    }

    @Override
    public void abort(Throwable error) throws IOException {
        if (out != null) {
            try {
                out.close();
            } catch (IOException e) {
                error.addSuppressed(e);
            }
            outputs.delete(shuffleId, mapId);
        }
    }

    private CrailBufferedOutputStream out() throws IOException {
        if (out == null) {
            CrailFile file = outputs.create(shuffleId, mapId);
            out = StoreCalls.io("writing " + file.getPath(), () -> file.getBufferedOutputStream(0));
        }
        return out;
    }

    /** A partition; its end is not the end of the file. */
    private final class PartitionStream extends OutputStream {
        private final OutputStream target;
        private final int partition;

        PartitionStream(OutputStream target, int partition) {
            this.target = target;
            this.partition = partition;
        }

        @Override
        public void write(int value) throws IOException {
            target.write(value);
            lengths[partition]++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            target.write(bytes, offset, length);
            lengths[partition] += length;
        }
    }
}

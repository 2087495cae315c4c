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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the file of one attempt of a map task: its partitions in order, then their index. Nobody looks for the file
 * before Spark's driver knows of the commit. Used by one task.
 */
final class MapOutputWriter implements ShuffleMapOutputWriter {
    private static final Logger LOG = LoggerFactory.getLogger(MapOutputWriter.class);
    private static final int COPY_BYTES = 64 * 1024;

    private final MapOutputs outputs;
    private final int shuffleId;
    private final long mapId;
    private final long[] lengths;
    private final ChunkChecksums checksums = new ChunkChecksums();

    /** Whether there is a file that is to be deleted unless it is committed. */
    private boolean isPending;

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

    /** Spark's own checksums are not those of the bytes in each case: some of its writers compress once more. */
    @Override
    public MapOutputCommitMessage commitAllPartitions(long[] ofSpark) throws IOException {
        checksums.endPartition();
        out().write(PartitionIndex.encode(lengths, checksums.all()));
        out().close();
        isPending = false;
        return MapOutputCommitMessage.of(lengths);
    }

    /** Writes and commits all partitions at once; the caller keeps their file. */
    void writeAll(File spill, long[] partitionLengths) throws IOException {
        try (InputStream in = new FileInputStream(spill)) {
            byte[] bytes = new byte[COPY_BYTES];
            for (int partition = 0; partition < partitionLengths.length; partition++) {
                copy(in, bytes, partition, partitionLengths[partition]);
            }
            if (in.read() >= 0) {
                throw new IOException(spill + " has more bytes than its partitions");
            }
            commitAllPartitions(new long[0]);
        } catch (IOException | RuntimeException e) {
            abort(e);
            throw e;
        }
    }

    private void copy(InputStream in, byte[] bytes, int partition, long length) throws IOException {
        OutputStream target = new PartitionStream(out(), partition);
        for (long left = length; left > 0; ) {
            int read = in.read(bytes, 0, (int) Math.min(left, bytes.length));
            if (read < 0) {
                throw new IOException("partition " + partition + " of a spill lacks " + left + " bytes");
            }
            target.write(bytes, 0, read);
            left -= read;
        }
    }

    @Override
    public void abort(Throwable error) throws IOException {
        if (isPending) {
            isPending = false;
            if (out != null) {
                try {
                    out.close();
                } catch (IOException e) {
                    error.addSuppressed(e);
                }
            }
            outputs.delete(shuffleId, mapId);
        }
    }

    /** To be called when the task ends, however it does. */
    void abortUnlessCommitted() {
        String path = outputs.path(shuffleId, mapId);
        try { // what a killed task leaves goes all the same
            StoreCalls.runAnyway(
                    "deleting " + path, () -> abort(new IOException("the task has ended without a commit")));
        } catch (IOException e) {
            LOG.warn("{} is not deleted before its shuffle", path, e);
        }
    }

    private CrailBufferedOutputStream out() throws IOException {
        if (out == null) {
            isPending = true;
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
            checksums.endPartition();
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            target.write(bytes, offset, length);
            lengths[partition] += length;
            checksums.take(bytes, offset, length);
        }
    }
}

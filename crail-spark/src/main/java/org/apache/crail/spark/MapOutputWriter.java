/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.spark.shuffle.api.ShuffleMapOutputWriter;
import org.apache.spark.shuffle.api.ShufflePartitionWriter;
import org.apache.spark.shuffle.api.metadata.MapOutputCommitMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the output of one attempt of a map task: its partitions in order, then their index. A small output stays in
 * memory until its commit, and goes behind others then; so an attempt without a commit leaves nothing of it. Nobody
 * looks for the output before Spark's driver knows of the commit. Used by one task.
 */
final class MapOutputWriter implements ShuffleMapOutputWriter {
    private static final Logger LOG = LoggerFactory.getLogger(MapOutputWriter.class);
    private static final int COPY_BYTES = 64 * 1024;

    private final MapOutputs outputs;
    private final int shuffleId;
    private final long mapId;
    private final int smallBytes;
    private final long[] lengths;
    private final ChunkChecksums checksums = new ChunkChecksums();

    /** What is written before there is a file. */
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();

    /** Whether there is a file that is to be deleted unless it is committed. */
    private boolean isPending;

    /** Null while what is written is small. */
    private CrailBufferedOutputStream out;

    /** For so many partitions; up to {@code smallBytes} in all are a small output. */
    MapOutputWriter(MapOutputs outputs, int shuffleId, long mapId, int partitions, int smallBytes) {
        this.outputs = outputs;
        this.shuffleId = shuffleId;
        this.mapId = mapId;
        this.smallBytes = smallBytes;
        this.lengths = new long[partitions];
    }

    @Override
    public ShufflePartitionWriter getPartitionWriter(int reducePartitionId) {
        return new ShufflePartitionWriter() {
            @Override
            public OutputStream openStream() {
                return new PartitionStream(reducePartitionId);
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
        ByteBuffer index = PartitionIndex.encode(lengths, checksums.all());
        if (out == null && smallBytes > 0) {
            outputs.committed(outputs.append(shuffleId, mapId, target -> writeSmall(index, target)));
            head.reset();
        } else {
            long bytes = Arrays.stream(lengths).sum() + index.remaining();
            file().write(index);
            out.close();
            isPending = false;
            outputs.committed(new OutputPlace(shuffleId, mapId, ownFile(), 0, bytes));
        }
        return MapOutputCommitMessage.of(lengths);
    }

    private void writeSmall(ByteBuffer index, CrailBufferedOutputStream target) throws IOException {
        head.writeTo(target);
        target.write(index.duplicate()); // which a second file may need, too
    }

    /** The name of the file of an output that is not small. */
    private String ownFile() {
        return Long.toString(mapId);
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
        OutputStream target = new PartitionStream(partition);
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
            outputs.delete(shuffleId, ownFile());
        }
    }

    /** To be called when the task ends, however it does. */
    void abortUnlessCommitted() {
        String path = outputs.path(shuffleId, ownFile());
        try { // what a killed task leaves goes all the same
            StoreCalls.runAnyway(
                    "deleting " + path, () -> abort(new IOException("the task has ended without a commit")));
        } catch (IOException e) {
            LOG.warn("{} is not deleted before its shuffle", path, e);
        }
    }

    private void write(byte[] bytes, int offset, int length) throws IOException {
        if (out == null && head.size() + length <= smallBytes) {
            head.write(bytes, offset, length);
        } else {
            file().write(bytes, offset, length);
        }
    }

    /** The file of an output that is not small, with what was written before. */
    private CrailBufferedOutputStream file() throws IOException {
        if (out == null) {
            isPending = true;
            CrailFile file = outputs.create(shuffleId, ownFile());
            out = StoreCalls.io("writing " + file.getPath(), () -> file.getBufferedOutputStream(0));
            head.writeTo(out);
            head.reset();
        }
        return out;
    }

    /** A partition; its end is not the end of the output. */
    private final class PartitionStream extends OutputStream {
        private final int partition;

        PartitionStream(int partition) {
            this.partition = partition;
            checksums.endPartition();
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            MapOutputWriter.this.write(bytes, offset, length);
            lengths[partition] += length;
            checksums.take(bytes, offset, length);
        }
    }
}

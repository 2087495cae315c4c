/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A {@link NumberTable} in a file of Arrow. Stateless. */
final class ArrowTable {
    private static final int BATCH_ROWS = 1 << 15;

    private ArrowTable() {}

    static void write(FileSystem files, Path path, int rows) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot batch = new VectorSchemaRoot(vectors(allocator));
                ArrowFileWriter writer = new ArrowFileWriter(batch, null, Channels.newChannel(files.create(path)))) {
            writer.start();
            for (int first = 0; first < rows; first += BATCH_ROWS) {
                int count = Math.min(BATCH_ROWS, rows - first);
                for (int column = 0; column < NumberTable.COLUMNS; column++) {
                    fill(batch.getVector(column), column, first, count);
                }
                batch.setRowCount(count);
                writer.writeBatch();
            }
            writer.end();
        }
    }

    private static List<FieldVector> vectors(BufferAllocator allocator) {
        List<FieldVector> vectors = new ArrayList<>();
        for (int column = 0; column < NumberTable.COLUMNS; column++) {
            String name = NumberTable.name(column);
            if (NumberTable.isInt(column)) {
                vectors.add(new IntVector(name, allocator));
            } else if (NumberTable.isLong(column)) {
                vectors.add(new BigIntVector(name, allocator));
            } else {
                vectors.add(new Float8Vector(name, allocator));
            }
        }
        return vectors;
    }

    private static void fill(FieldVector vector, int column, int firstRow, int count) {
        for (int i = 0; i < count; i++) {
            int value = NumberTable.value(firstRow + i, column);
            if (vector instanceof IntVector ints) {
                ints.setSafe(i, value);
            } else if (vector instanceof BigIntVector longs) {
                longs.setSafe(i, value);
            } else {
                ((Float8Vector) vector).setSafe(i, value);
            }
        }
    }

    static double sum(FileSystem files, Path path) throws IOException {
        double sum = 0;
        try (BufferAllocator allocator = new RootAllocator();
                ArrowFileReader reader = new ArrowFileReader(new Input(files, path), allocator)) {
            VectorSchemaRoot batch = reader.getVectorSchemaRoot();
            while (reader.loadNextBatch()) {
                for (FieldVector vector : batch.getFieldVectors()) {
                    sum += sum(vector, batch.getRowCount());
                }
            }
        }
        return sum;
    }

    private static double sum(FieldVector vector, int rows) {
        double sum = 0;
        if (vector instanceof IntVector ints) {
            for (int row = 0; row < rows; row++) {
                sum += ints.get(row);
            }
        } else if (vector instanceof BigIntVector longs) {
            for (int row = 0; row < rows; row++) {
                sum += longs.get(row);
            }
        } else {
            Float8Vector doubles = (Float8Vector) vector;
            for (int row = 0; row < rows; row++) {
                sum += doubles.get(row);
            }
        }
        return sum;
    }

    /** A file as Arrow reads it, into memory outside the heap, without a copy where the file system can do that. */
    private static final class Input implements SeekableByteChannel {
        private final FSDataInputStream in;
        private final long size;
        private byte[] copy = {};
        private boolean open = true;

        Input(FileSystem files, Path path) throws IOException {
            size = files.getFileStatus(path).getLen();
            in = files.open(path);
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            if (in.getWrappedStream() instanceof ByteBufferReadable) {
                return in.read(target);
            }
            if (copy.length < target.remaining()) {
                copy = new byte[target.remaining()];
            }
            int read = in.read(copy, 0, target.remaining());
            if (read > 0) {
                target.put(copy, 0, read);
            }
            return read;
        }

        @Override
        public long position() throws IOException {
            return in.getPos();
        }

        @Override
        public SeekableByteChannel position(long position) throws IOException {
            in.seek(position);
            return this;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public int write(ByteBuffer source) {
            throw new NonWritableChannelException();
        }

        @Override
        public SeekableByteChannel truncate(long newSize) {
            throw new NonWritableChannelException();
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() throws IOException {
            open = false;
            in.close();
        }
    }
}

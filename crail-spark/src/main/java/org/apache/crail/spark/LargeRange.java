/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * A range that is read as a stream, one chunk after the other, each of which is compared with its checksum before one
 * of its bytes is handed out. Read by one thread; closed by any.
 */
final class LargeRange extends InputStream {
    private final InputStream source;
    private final RangeChecksums checksums;
    private final Reads reads;
    private byte[] chunk = {};
    private int position;
    private int limit;

    /** Who is told of each read, and decides what follows one that fails. */
    interface Reads {
        void succeeded();

        /** Returns when it is to be tried again, and fails otherwise. */
        void failed(IOException failure) throws IOException;
    }

    /**
     * Takes the source over.
     *
     * @param index of the partitions of the range, and no others
     * @param source at the begin of the range
     */
    LargeRange(PartitionIndex index, InputStream source, Reads reads) {
        this.source = source;
        this.checksums = new RangeChecksums(index);
        this.reads = reads;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (position == limit && !readChunk()) {
            return -1;
        }
        int part = Math.min(length, limit - position);
        System.arraycopy(chunk, position, target, offset, part);
        position += part;
        return part;
    }

    private boolean readChunk() throws IOException {
        int bytes = checksums.chunkBytes();
        if (chunk.length < bytes) {
            chunk = new byte[bytes];
        }
        for (int filled = 0; filled < bytes; ) {
            filled += readSome(filled, bytes - filled);
        }
        try {
            checksums.take(ByteBuffer.wrap(chunk, 0, bytes));
        } catch (BrokenOutputException e) {
            reads.failed(e);
            throw e;
        }
        position = 0;
        limit = bytes;
        return bytes > 0;
    }

    private int readSome(int offset, int length) throws IOException {
        while (true) {
            try {
                int read = source.read(chunk, offset, length);
                if (read < 0) {
                    throw new BrokenOutputException("the file of a map output ends within a partition");
                }
                reads.succeeded();
                return read;
            } catch (CrailException | BrokenOutputException e) {
                reads.failed(e);
            }
        }
    }

    @Override
    public synchronized int available() {
        return limit - position;
    }

    @Override
    public synchronized void close() throws IOException {
        source.close();
    }
}

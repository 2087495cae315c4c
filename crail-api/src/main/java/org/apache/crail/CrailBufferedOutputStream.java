/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Future;
import org.apache.crail.error.ClosedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A blocking stream that appends to a file and writes behind: bytes are collected in slices of {@code crail.slicesize}
 * that are written while the next ones are filled, so that a call waits only if all slices are being written. What
 * would fill a slice is not collected where blocks are mapped, but copied to its block before the call returns. Numbers
 * are big-endian. A failure to write is thrown by a later call, at the latest by {@link #close}, and by every call
 * after it. Not thread safe.
 */
public class CrailBufferedOutputStream extends OutputStream {
    public static final Logger LOG = LoggerFactory.getLogger(CrailBufferedOutputStream.class);

    private final CrailFile file;
    private final CrailOutputStream stream;
    private final long start;
    private final SlicePool pool;
    private final SliceWriter writer;
    private final CrailBufferedStatistics statistics = new CrailBufferedStatistics("buffered/out");
    private boolean closed;

    CrailBufferedOutputStream(CrailFile file, long writeHint) throws Exception {
        this(file, file.getDirectOutputStream(writeHint));
    }

    /** Takes over {@code stream}. */
    CrailBufferedOutputStream(CrailFile file, CrailOutputStream stream) throws Exception {
        this.file = file;
        this.stream = stream;
        this.start = stream.position();
        this.pool = new SlicePool(file.getFileSystem(), 0);
        this.writer = new SliceWriter(stream, pool, statistics, file.getPath());
    }

    @Override
    public final void write(int value) throws IOException {
        put((byte) value);
    }

    private void put(byte value) throws IOException {
        room().put(value);
        writer.filled();
    }

    @Override
    public final void write(byte[] source) throws IOException {
        write(source, 0, source.length);
    }

    @Override
    public final void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        checkOpen();
        if (length >= writer.sliceSize()) {
            write(ByteBuffer.wrap(source, offset, length));
            return;
        }
        int done = 0;
        while (done < length) {
            CrailBuffer room = room();
            int part = Math.min(room.remaining(), length - done);
            room.put(source, offset + done, part);
            writer.filled();
            done += part;
        }
    }

    /** Writes the remaining bytes of {@code source}, which the caller keeps. */
    public final void write(ByteBuffer source) throws IOException {
        checkOpen();
        int end = source.limit();
        while (source.hasRemaining()) {
            if (writer.copy(source) > 0) {
                continue;
            }
            CrailBuffer room = room();
            source.limit(source.position() + Math.min(room.remaining(), source.remaining()));
            room.put(source);
            source.limit(end);
            writer.filled();
        }
    }

    /** Writes 8 bytes. */
    public final void writeDouble(double value) throws Exception {
        writeLong(Double.doubleToRawLongBits(value));
    }

    /** Writes 4 bytes. */
    public final void writeFloat(float value) throws Exception {
        writeInt(Float.floatToRawIntBits(value));
    }

    /** Writes 4 bytes. */
    public final void writeInt(int value) throws Exception {
        CrailBuffer room = room();
        if (room.remaining() >= Integer.BYTES) {
            room.putInt(value);
            writer.filled();
        } else {
            writeBytes(value, Integer.BYTES);
        }
    }

    /** Writes 8 bytes. */
    public final void writeLong(long value) throws Exception {
        CrailBuffer room = room();
        if (room.remaining() >= Long.BYTES) {
            room.putLong(value);
            writer.filled();
        } else {
            writeBytes(value, Long.BYTES);
        }
    }

    /** Writes 2 bytes. */
    public final void writeShort(short value) throws Exception {
        CrailBuffer room = room();
        if (room.remaining() >= Short.BYTES) {
            room.putShort(value);
            writer.filled();
        } else {
            writeBytes(value, Short.BYTES);
        }
    }

    /** Writes the {@code count} lowest bytes of {@code value}, across the end of a slice. */
    private void writeBytes(long value, int count) throws IOException {
        for (int shift = Byte.SIZE * (count - 1); shift >= 0; shift -= Byte.SIZE) {
            put((byte) (value >>> shift));
        }
    }

    /**
     * Begins to write all that has been collected. One may go on writing at once.
     *
     * @return done when everything that was written to this stream before is on the datanodes; the number of bytes that
     *     were still being written
     */
    public Future<CrailResult> purge() throws IOException {
        checkOpen();
        return writer.purge();
    }

    /** Waits until everything is on the datanodes, then makes it visible to others; the result waits for the latter. */
    public Future<Void> sync() throws IOException {
        checkOpen();
        writer.drain();
        return stream.sync();
    }

    /**
     * Begins to write all that has been collected, as {@link #purge} does. Others see it after {@link #sync} or
     * {@link #close}. Does nothing on a closed stream.
     */
    @Override
    public void flush() throws IOException {
        if (!closed) {
            writer.push();
        }
    }

    /**
     * Writes what has been collected, waits, makes everything visible to others and closes the stream; buffers are
     * given back whatever fails. Closing a closed stream does nothing.
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        Calls.all(
                "closing the output stream of " + file.getPath(),
                this::finish,
                this::closeStream,
                pool::close,
                () -> statistics.addTo(file.getFileSystem()));
    }

    private void finish() throws IOException {
        try {
            writer.push();
        } finally {
            writer.settle();
        }
        writer.checkNotFailed();
    }

    private void closeStream() throws IOException {
        try {
            Calls.run("closing the output stream of " + file.getPath(), stream::close);
        } catch (IOException e) {
            if (!writer.hasFailedWith(e)) { // which has been thrown
                throw e;
            }
        }
    }

    /**
     * The number of bytes that have been written to this stream, which is not the offset in the file after an append.
     */
    public long position() {
        return stream.position() - start + writer.collected();
    }

    /** The file that is written. */
    public CrailNode getFile() throws IOException {
        return file;
    }

    private CrailBuffer room() throws IOException {
        checkOpen();
        return writer.room();
    }

    private void checkOpen() throws ClosedException {
        if (closed) {
            throw new ClosedException("cannot write " + file.getPath() + ": the stream is closed");
        }
    }

    /** Of which file, and how many bytes have been written to it. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + " of " + file.getPath() + " at " + position();
    }
}

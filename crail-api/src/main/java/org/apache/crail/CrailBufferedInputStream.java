/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.crail.error.ClosedException;

/**
 * A blocking stream that reads ahead in slices of {@code crail.slicesize}; where blocks are mapped nothing is read
 * ahead, and what would fill a slice is copied from its block to the caller. Numbers are big-endian. Marks are not
 * supported. After a failed read the next call tries again at the same position, unless this is a stream over a bag.
 * Not thread safe, except that reads at a given position may be called by other threads.
 */
public abstract class CrailBufferedInputStream extends InputStream {
    private static final int SKIP_BYTES = 4096;

    private final CrailNode node;
    private final SliceReader reader;
    private final CrailBufferedStatistics statistics = new CrailBufferedStatistics("buffered/in");
    private final ByteBuffer scratch = ByteBuffer.allocate(Long.BYTES);
    private long polledPosition = -1;
    private long polledBytes;
    private volatile boolean closed;

    CrailBufferedInputStream(CrailNode node, ReadSource source, SlicePool pool) {
        this.node = node;
        this.reader = new SliceReader(source, pool, statistics, node.getPath());
    }

    /** The direct stream that reads are begun on; null if there is none at the moment. Moving it breaks this stream. */
    public abstract CrailInputStream getStream() throws Exception;

    /** Ends the use of what {@link #getStream} gave. */
    public abstract void putStream() throws Exception;

    abstract int readAt(long position, byte[] target, int offset, int length) throws IOException;

    /** Gives back what a subclass holds besides its source. */
    void release() throws IOException {}

    /** Reads a byte; -1 at the end. */
    @Override
    public final int read() throws IOException {
        CrailBuffer slice = next(1);
        return slice == null ? -1 : slice.get() & 0xff;
    }

    /** Fills {@code target}; see {@link #read(byte[], int, int)}. */
    @Override
    public final int read(byte[] target) throws IOException {
        return read(target, 0, target.length);
    }

    /**
     * Reads until {@code length} bytes are there or the file ends, waiting if necessary.
     *
     * @return the number of bytes, fewer than {@code length} only at the end or before a failure, which the next call
     *     throws; -1 at the end
     */
    @Override
    public final int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        checkOpen();
        if (length >= reader.sliceSize()) {
            return read(ByteBuffer.wrap(target, offset, length));
        }
        int done = 0;
        while (done < length) {
            CrailBuffer slice = next(length - done, done > 0);
            if (slice == null) {
                return done == 0 ? -1 : done;
            }
            int part = Math.min(slice.remaining(), length - done);
            slice.get(target, offset + done, part);
            done += part;
        }
        return done;
    }

    /** As {@link #read(byte[], int, int)}, into the remaining space of {@code target}, which the caller keeps. */
    public final int read(ByteBuffer target) throws IOException {
        checkOpen();
        int begin = target.position();
        int end = target.limit();
        while (target.hasRemaining()) {
            if (reader.copy(target) > 0) {
                continue;
            }
            CrailBuffer slice = next(target.remaining(), target.position() > begin);
            if (slice == null) {
                return target.position() == begin ? -1 : target.position() - begin;
            }
            target.limit(target.position() + Math.min(slice.remaining(), target.remaining()));
            slice.get(target);
            target.limit(end);
        }
        return end - begin;
    }

    /**
     * Reads from {@code position} until {@code length} bytes are there or the file ends. The position of this stream
     * does not move and what it has read ahead stays. May be called by any thread.
     *
     * @return the number of bytes, fewer than {@code length} only at the end; -1 at the end
     * @throws IOException if {@code position} is negative or behind the end, or if this is a stream over a bag
     */
    public final int read(long position, byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        checkOpen();
        return length == 0 ? 0 : readAt(position, target, offset, length);
    }

    /**
     * Reads 8 bytes.
     *
     * @throws EOFException if there are fewer, which are lost then
     */
    public final double readDouble() throws Exception {
        return Double.longBitsToDouble(readLong());
    }

    /**
     * Reads 4 bytes.
     *
     * @throws EOFException if there are fewer, which are lost then
     */
    public final float readFloat() throws Exception {
        return Float.intBitsToFloat(readInt());
    }

    /**
     * Reads 4 bytes.
     *
     * @throws EOFException if there are fewer, which are lost then
     */
    public final int readInt() throws Exception {
        CrailBuffer slice = holding(Integer.BYTES);
        return slice != null ? slice.getInt() : gather(Integer.BYTES).getInt();
    }

    /**
     * Reads 8 bytes.
     *
     * @throws EOFException if there are fewer, which are lost then
     */
    public final long readLong() throws Exception {
        CrailBuffer slice = holding(Long.BYTES);
        return slice != null ? slice.getLong() : gather(Long.BYTES).getLong();
    }

    /**
     * Reads 2 bytes.
     *
     * @throws EOFException if there are fewer, which are lost then
     */
    public final short readShort() throws Exception {
        CrailBuffer slice = holding(Short.BYTES);
        return slice != null ? slice.getShort() : gather(Short.BYTES).getShort();
    }

    private CrailBuffer holding(int bytes) throws IOException {
        checkOpen();
        return reader.holding(bytes);
    }

    /** Collects bytes across the end of a slice. */
    private ByteBuffer gather(int bytes) throws IOException {
        scratch.clear().limit(bytes);
        while (scratch.hasRemaining()) {
            if (read(scratch) < 0) {
                throw new EOFException("cannot read " + bytes + " bytes of " + node.getPath() + ": it ends at "
                        + position() + ", " + scratch.position() + " bytes on");
            }
        }
        return scratch.flip();
    }

    /** Skips up to {@code count} bytes, fewer only at the end. */
    @Override
    public long skip(long count) throws IOException {
        checkOpen();
        long skipped = 0;
        while (skipped < count) {
            CrailBuffer slice = next((int) Math.min(count - skipped, SKIP_BYTES), skipped > 0);
            if (slice == null) {
                break;
            }
            int part = (int) Math.min(slice.remaining(), count - skipped);
            slice.position(slice.position() + part);
            skipped += part;
        }
        return skipped;
    }

    /**
     * Moves to an offset in the file.
     *
     * @throws IOException if it is negative or behind the end; the position is then as before. Always, if this is a
     *     stream over a bag
     */
    public void seek(long position) throws IOException {
        checkOpen();
        reader.seek(position);
    }

    /**
     * The bytes that can be read without waiting, in all slices that have arrived; begins to read if nothing is in
     * flight. A caller may poll until as many bytes are there as it needs: what it polls for is read ahead, and once
     * the buffers of this stream are full, everything that is left of the file counts as well, although reading that
     * may wait for transfers. A read that has failed counts too: reading throws its failure. At the end this is 0 for
     * good, but for an empty key-value, which may get bytes when its first put is complete ({@link
     * CrailInputStream#available}). A repeated call at the same position waits up to a millisecond for what is in
     * flight, so that polling takes no processor from the transfer.
     *
     * @throws UncheckedIOException if the stream is closed, or {@link CrailInputStream#available} fails
     */
    @Override
    public int available() {
        if (closed) {
            throw new UncheckedIOException(closedException());
        }
        long position = reader.position();
        boolean isRepeated = position == polledPosition;
        if (isRepeated) {
            reader.awaitArrival();
        }
        long bytes = reader.readable(isRepeated ? polledBytes : -1);
        polledPosition = position;
        polledBytes = bytes;
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    /** The offset in the file, or in the sequence of files of a bag, of the next byte. */
    public long position() {
        return reader.position();
    }

    /** Closes the stream; buffers are given back whatever fails. Closing a closed stream does nothing. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        Calls.all(
                "closing the input stream of " + node.getPath(),
                reader::close,
                this::release,
                () -> statistics.addTo(node.getFileSystem()));
    }

    private CrailBuffer next(int wanted) throws IOException {
        checkOpen();
        return reader.next(wanted);
    }

    /** As {@link #next(int)}; if {@code partly} the caller has bytes already, and a failure waits for its next call. */
    private CrailBuffer next(int wanted, boolean partly) throws IOException {
        try {
            return reader.next(wanted);
        } catch (IOException e) {
            if (partly) {
                return null;
            }
            throw e;
        }
    }

    final void checkOpen() throws ClosedException {
        if (closed) {
            throw closedException();
        }
    }

    private ClosedException closedException() {
        return new ClosedException("cannot read " + node.getPath() + ": the stream is closed");
    }

    /** Of which node, and where in it. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + " of " + node.getPath() + " at " + position();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailStore;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsLogging;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a file as it was when it was opened. Reading in sequence reads ahead; reading at a position, vectored reads,
 * and reading into direct buffers do not, and the latter copies nothing. All methods are thread safe; reads at
 * positions do not wait for each other.
 */
final class CrailHadoopInputStream extends FSInputStream
        implements ByteBufferReadable,
                ByteBufferPositionedReadable,
                CanUnbuffer,
                StreamCapabilities,
                IOStatisticsSource {
    private static final Logger LOG = LoggerFactory.getLogger(CrailHadoopInputStream.class);

    private final CrailFile file;
    private final Path path;
    private final long length;
    private final DirectReads direct;
    private final ReadCounts counts;

    private volatile boolean closed;
    private volatile long position;

    /** Made when it is first needed, and when its place is another than ours, moved then; guarded by this. */
    private CrailBufferedInputStream buffered;

    CrailHadoopInputStream(CrailStore store, CrailFile file, Path path, FileSystem.Statistics fileSystemStatistics) {
        this.file = file;
        this.path = path;
        this.length = file.getCapacity();
        this.direct = new DirectReads(store, file, path);
        this.counts = new ReadCounts(fileSystemStatistics);
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException(path + ": " + FSExceptionMessages.STREAM_IS_CLOSED);
        }
    }

    @Override
    public synchronized int read() throws IOException {
        checkOpen();
        if (position >= length) {
            return -1;
        }
        int value = readBuffered(() -> buffered().read());
        moved(1);
        return value;
    }

    @Override
    public synchronized int read(byte[] target, int offset, int wanted) throws IOException {
        checkOpen();
        Objects.checkFromIndexSize(offset, wanted, target.length);
        if (wanted == 0) {
            return 0;
        }
        if (position >= length) {
            return -1;
        }
        int read = readBuffered(() -> buffered().read(target, offset, wanted));
        moved(read);
        return read;
    }

    @Override
    public synchronized int read(ByteBuffer target) throws IOException {
        checkOpen();
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        if (!target.hasRemaining()) {
            return 0;
        }
        if (position >= length) {
            return -1;
        }
        int read;
        if (target.isDirect()) {
            read = (int) Math.min(target.remaining(), length - position);
            readDirect(position, target, read);
        } else {
            read = readBuffered(() -> buffered().read(target));
        }
        moved(read);
        return read;
    }

    private synchronized void moved(int read) {
        position += Math.max(0, read);
        counts.read(read);
    }

    private int readBuffered(Callable<Integer> read) throws IOException {
        try {
            return Failures.call(path, read);
        } catch (IOException e) {
            throw counts.failed(e);
        }
    }

    private void readDirect(long at, ByteBuffer target, int wanted) throws IOException {
        try {
            direct.read(at, target, wanted);
        } catch (IOException e) {
            throw counts.failed(e);
        }
    }

    private void readDirect(long at, byte[] target, int offset, int wanted) throws IOException {
        try {
            direct.read(at, target, offset, wanted);
        } catch (IOException e) {
            throw counts.failed(e);
        }
    }

    /** The stream that reads ahead, at our position. */
    private CrailBufferedInputStream buffered() throws Exception {
        if (buffered == null) {
            buffered = file.getBufferedInputStream(0);
        }
        if (buffered.position() != position) {
            buffered.seek(position);
        }
        return buffered;
    }

    @Override
    public int read(long at, byte[] target, int offset, int wanted) throws IOException {
        checkOpen();
        validatePositionedReadArgs(at, target, offset, wanted);
        if (wanted == 0) {
            return 0;
        }
        if (at >= length) {
            return -1;
        }
        int read = (int) Math.min(wanted, length - at);
        readDirect(at, target, offset, read);
        counts.read(read);
        return read;
    }

    @Override
    public int read(long at, ByteBuffer target) throws IOException {
        checkOpen();
        checkPosition(at);
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        if (!target.hasRemaining()) {
            return 0;
        }
        if (at >= length) {
            return -1;
        }
        int read = (int) Math.min(target.remaining(), length - at);
        if (target.isDirect()) {
            readDirect(at, target, read);
        } else {
            readDirect(at, target.array(), target.arrayOffset() + target.position(), read);
            target.position(target.position() + read);
        }
        counts.read(read);
        return read;
    }

    @Override
    public void readFully(long at, byte[] target, int offset, int wanted) throws IOException {
        checkOpen();
        validatePositionedReadArgs(at, target, offset, wanted);
        checkEnd(at, wanted);
        int ignored = read(at, target, offset, wanted);
    }

    @Override
    public void readFully(long at, ByteBuffer target) throws IOException {
        checkOpen();
        checkPosition(at);
        checkEnd(at, target.remaining());
        int ignored = read(at, target);
    }

    /** As Hadoop does, but with the path in the message. */
    @Override
    protected void validatePositionedReadArgs(long at, byte[] target, int offset, int wanted) throws EOFException {
        checkPosition(at);
        super.validatePositionedReadArgs(at, target, offset, wanted);
    }

    /** Nothing can be read anywhere. */
    private void checkEnd(long at, int wanted) throws EOFException {
        if (wanted > 0 && at > length - wanted) {
            throw new EOFException(path + ": " + FSExceptionMessages.EOF_IN_READ_FULLY + ": " + wanted + " bytes at "
                    + at + "; it has " + length + " bytes");
        }
    }

    private void checkPosition(long at) throws EOFException {
        if (at < 0) {
            throw new EOFException(path + ": " + FSExceptionMessages.NEGATIVE_SEEK + ": " + at);
        }
    }

    /**
     * Begins all reads at once. Those of mapped blocks whose places are known are over when this returns, as it copies
     * them itself.
     */
    @Override
    public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate) throws IOException {
        checkOpen();
        VectoredRead.check(ranges, length, path);
        new VectoredRead(direct, path, counts).begin(ranges, direct.copyBytes(), allocate);
        ranges.forEach(range -> counts.read(range.getLength()));
    }

    @Override
    public synchronized void seek(long newPosition) throws IOException {
        checkOpen();
        checkPosition(newPosition);
        if (newPosition > length) {
            throw new EOFException(path + ": " + FSExceptionMessages.CANNOT_SEEK_PAST_EOF + ": " + newPosition
                    + "; it has " + length + " bytes");
        }
        position = newPosition;
        counts.sought();
    }

    @Override
    public synchronized long skip(long count) throws IOException {
        checkOpen();
        long skipped = Math.max(0, Math.min(count, length - position));
        position += skipped;
        counts.skipped(skipped);
        return skipped;
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public boolean seekToNewSource(long target) {
        return false;
    }

    @Override
    public int available() throws IOException {
        checkOpen();
        return (int) Math.min(Integer.MAX_VALUE, length - position);
    }

    /** Gives buffers back; the next read takes new ones. */
    @Override
    public synchronized void unbuffer() {
        try {
            closeBuffered();
            direct.release();
        } catch (IOException e) {
            LOG.warn("{}: unbuffering failed", path, e);
        }
    }

    private synchronized void closeBuffered() throws IOException {
        CrailBufferedInputStream open = buffered;
        buffered = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            throw Failures.translate(path, e);
        }
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            try {
                closeBuffered();
            } finally {
                direct.close();
            }
        }
    }

    @Override
    public boolean hasCapability(String capability) {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.READBYTEBUFFER,
                    StreamCapabilities.PREADBYTEBUFFER,
                    StreamCapabilities.UNBUFFER,
                    StreamCapabilities.VECTOREDIO,
                    StreamCapabilities.IOSTATISTICS -> true;
            default -> false;
        };
    }

    @Override
    public IOStatistics getIOStatistics() {
        return counts.view();
    }

    @Override
    public String toString() {
        return "CrailHadoopInputStream{" + path + ", position " + position + " of " + length + ", "
                + IOStatisticsLogging.ioStatisticsSourceToString(this) + "}";
    }
}

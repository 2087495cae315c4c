/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.impl.StoreImplementationUtils;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsLogging;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;

/** Writes behind; hflush and hsync make what was written visible to others. All methods are thread safe. */
final class CrailHadoopOutputStream extends OutputStream implements Syncable, StreamCapabilities, IOStatisticsSource {
    private final CrailBufferedOutputStream stream;
    private final Path path;
    private final Consumer<CrailHadoopOutputStream> onClose;
    private final AtomicLong bytesWritten = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong flushes = new AtomicLong();
    private final AtomicLong syncs = new AtomicLong();
    private boolean closed;

    /** What the close by the file system failed with, until the owner hears of it. */
    private IOException unheard;

    /**
     * Makes one.
     *
     * @param onClose is told once, when it has been closed
     */
    CrailHadoopOutputStream(CrailBufferedOutputStream stream, Path path, Consumer<CrailHadoopOutputStream> onClose) {
        this.stream = stream;
        this.path = path;
        this.onClose = onClose;
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException(path + ": " + FSExceptionMessages.STREAM_IS_CLOSED);
        }
    }

    @Override
    public synchronized void write(int value) throws IOException {
        checkOpen();
        try {
            stream.write(value);
        } catch (IOException e) {
            throw failed(e);
        }
        bytesWritten.incrementAndGet();
    }

    @Override
    public synchronized void write(byte[] source, int offset, int length) throws IOException {
        checkOpen();
        try {
            stream.write(source, offset, length);
        } catch (IOException e) {
            throw failed(e);
        }
        bytesWritten.addAndGet(length);
    }

    /** Begins to write what was collected; does not wait. */
    @Override
    public synchronized void flush() throws IOException {
        try {
            stream.flush();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void hflush() throws IOException {
        flushes.incrementAndGet();
        sync();
    }

    /** As {@link #hflush}: data is as safe on a datanode as it gets. */
    @Override
    public void hsync() throws IOException {
        syncs.incrementAndGet();
        sync();
    }

    private synchronized void sync() throws IOException {
        checkOpen();
        try {
            Object ignored = Failures.awaitTyped(path, stream::sync);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private IOException failed(IOException failure) {
        failures.incrementAndGet();
        return Failures.translate(path, failure);
    }

    /** Closes for a file system that ends; the owner, who may not know of that, hears of a failure when he closes. */
    synchronized void closeUnasked() throws IOException {
        try {
            close();
        } catch (IOException e) {
            unheard = e;
            throw e;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            throwUnheard();
            return;
        }
        closed = true;
        try {
            stream.close();
        } catch (IOException e) {
            throw failed(e);
        } finally {
            onClose.accept(this);
        }
    }

    private void throwUnheard() throws IOException {
        IOException failure = unheard;
        unheard = null;
        if (failure != null) {
            throw new PathIOException(
                    path.toString(),
                    "was not complete when its file system was closed: " + failure.getMessage(),
                    failure);
        }
    }

    @Override
    public boolean hasCapability(String capability) {
        return StoreImplementationUtils.isProbeForSyncable(capability)
                || StreamCapabilities.IOSTATISTICS.equalsIgnoreCase(capability);
    }

    /** A live view; few ask for one, so that it is not made before. */
    @Override
    public IOStatistics getIOStatistics() {
        return IOStatisticsBinding.dynamicIOStatistics()
                .withAtomicLongCounter(StreamStatisticNames.STREAM_WRITE_BYTES, bytesWritten)
                .withAtomicLongCounter(StreamStatisticNames.STREAM_WRITE_EXCEPTIONS, failures)
                .withAtomicLongCounter(StoreStatisticNames.OP_HFLUSH, flushes)
                .withAtomicLongCounter(StoreStatisticNames.OP_HSYNC, syncs)
                .build();
    }

    @Override
    public String toString() {
        return "CrailHadoopOutputStream{" + path + ", " + IOStatisticsLogging.ioStatisticsSourceToString(this) + "}";
    }
}

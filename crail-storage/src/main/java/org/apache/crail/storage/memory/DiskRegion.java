/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file on a disk, which may be larger than memory. It is not mapped: a page that a mapping lacks is read with its neighbours even if
 * all of it is to be written, which takes several times as long. After the first write that the disk refuses, or that the kernel
 * could not write back, it counts as failed for good: the kernel tells once, and not what is lost. Thread safe; the bytes are not guarded.
 */
public final class DiskRegion implements BlockFile {
    private static final Logger LOG = LoggerFactory.getLogger(DiskRegion.class);

    private final FileChannel file;
    private final long length;
    private final long blockBytes;
    private final AtomicReference<IOException> failure = new AtomicReference<>();

    /** Takes over an open file, all of whose bytes exist. */
    DiskRegion(FileChannel file, long length, long blockBytes) {
        this.file = file;
        this.length = length;
        this.blockBytes = blockBytes;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public long blockBytes() {
        return blockBytes;
    }

    /** The file, to be read only, and not to be closed. */
    public FileChannel file() {
        return file;
    }

    /** Fills what is between the buffer's position and its limit. */
    public void read(long offset, ByteBuffer bytes) throws IOException {
        long at = offset;
        while (bytes.hasRemaining()) {
            int count = file.read(bytes, at);
            if (count < 0) {
                throw new EOFException("the file ends at " + file.size() + " instead of " + length);
            }
            at += count;
        }
    }

    /** Writes what is between the buffer's position and its limit. */
    public void write(long offset, ByteBuffer bytes) throws IOException {
        long at = offset;
        try {
            while (bytes.hasRemaining()) {
                at += file.write(bytes, at);
            }
        } catch (IOException e) {
            fail(e);
            throw e;
        }
    }

    /** Lets the kernel write back what has been written, and finds out whether it could, now and since the last time. */
    void flush() throws IOException {
        file.force(false);
    }

    /** From now on it counts as failed. */
    void fail(IOException cause) {
        if (failure.compareAndSet(null, cause)) {
            LOG.error(
                    "a file of blocks could not be written; this datanode sends no heartbeats any more, so its blocks count as lost;"
                            + " mend the disk and restart the datanode",
                    cause);
        }
    }

    @Override
    public boolean hasFailed() {
        return failure.get() != null;
    }

    void close() throws IOException {
        file.close();
    }
}

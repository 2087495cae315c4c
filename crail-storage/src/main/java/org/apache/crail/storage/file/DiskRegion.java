/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.apache.crail.local.block.BlockFile;

/**
 * A file on a disk, which may be larger than memory. It is not mapped: a page that a mapping lacks is read with its
 * neighbours even if all of it is to be written, which takes several times as long. After the first write that the disk
 * refuses, or that the kernel could not write back, all files of the datanode count as failed. Thread safe; the bytes
 * are not guarded.
 */
public final class DiskRegion implements BlockFile {
    private final Path path;
    private final FileChannel file;
    private final long length;
    private final long blockBytes;
    private final DiskHealth disk;

    /**
     * Takes over an open file, all of whose bytes exist.
     *
     * @param disk shared by all files of a datanode
     */
    DiskRegion(Path path, FileChannel file, long length, long blockBytes, DiskHealth disk) {
        this.path = path;
        this.file = file;
        this.length = length;
        this.blockBytes = blockBytes;
        this.disk = disk;
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
        try {
            while (bytes.hasRemaining()) {
                int count = file.read(bytes, at);
                if (count < 0) {
                    throw new EOFException("the file ends at " + file.size() + " instead of " + length);
                }
                at += count;
            }
        } catch (IOException e) {
            disk.readFailed(path, e);
            throw e;
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
            disk.writeFailed(path, e);
            throw e;
        }
    }

    /**
     * Lets the kernel write back what has been written, and finds out whether it could, now and since the last time.
     */
    void flush() {
        try {
            file.force(false);
        } catch (IOException e) {
            disk.writeFailed(path, e);
        }
    }

    @Override
    public boolean hasFailed() {
        return disk.hasFailed();
    }

    @Override
    public String toString() {
        return "the disk of " + path;
    }

    void close() throws IOException {
        file.close();
    }
}

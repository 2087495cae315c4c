/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A file on a disk, which may be larger than memory. It is not mapped: a page that a mapping lacks is read with its neighbours even if
 * all of it is to be written, which takes several times as long. Thread safe; the bytes are not guarded.
 */
public final class DiskRegion implements BlockFile {
    private final FileChannel file;
    private final long length;
    private final long blockBytes;

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

    /** Writes what is between the buffer's position and its limit. */
    public void write(long offset, ByteBuffer bytes) throws IOException {
        long at = offset;
        while (bytes.hasRemaining()) {
            at += file.write(bytes, at);
        }
    }

    void close() throws IOException {
        file.close();
    }
}

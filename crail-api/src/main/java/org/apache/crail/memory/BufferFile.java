/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.crail.CrailBuffer;
import org.apache.crail.internal.FilePages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is mapped whole, and whose parts get their pages before they are used: who touches a page that the file system has no
 * room for gets a signal instead of an error. It has no name, so that it ends with the last mapping. Not thread safe.
 */
final class BufferFile {
    private static final Logger LOG = LoggerFactory.getLogger(BufferFile.class);
    private static final byte[] ZEROS = new byte[1 << 16];

    private final RandomAccessFile file;
    private final CrailBuffer whole;
    private final boolean hasHugePages;
    private int usedBytes;

    private BufferFile(RandomAccessFile file, CrailBuffer whole, boolean hasHugePages) {
        this.file = file;
        this.whole = whole;
        this.hasHugePages = hasHugePages;
    }

    /** Maps a new file in a directory, which is made if it is missing. */
    static BufferFile map(Path directory, int bytes) throws IOException {
        Files.createDirectories(directory);
        FileStore store = Files.getFileStore(directory);
        if (store.getTotalSpace() > 0 && store.getUsableSpace() < bytes) {
            throw new IOException("only " + store.getUsableSpace() + " bytes are free there");
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return map(directory, bytes, FilePages.areHuge(store));
                } catch (
                        ClosedByInterruptException
                                e) { // which has closed the file; others want the region all the same
                    interrupted = Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static BufferFile map(Path directory, int bytes, boolean hasHugePages) throws IOException {
        Path path = directory.resolve("buffers-" + UUID.randomUUID());
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        try {
            Files.delete(path);
            MappedByteBuffer whole = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            return new BufferFile(file, OffHeapBuffer.wrap(whole), hasHugePages);
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    boolean isUsedUp() {
        return usedBytes == whole.capacity();
    }

    /** The next bytes, at most so many, with their pages; if there is no room for these, nothing more is to be had. */
    CrailBuffer nextPart(int mostBytes) throws IOException {
        int end = usedBytes + Math.min(mostBytes, whole.capacity() - usedBytes);
        if (!hasHugePages) { // those are reserved by the mapping, and cannot be written
            fill(end);
        }
        whole.clear().position(usedBytes).limit(end);
        CrailBuffer part = whole.slice();
        whole.clear();
        usedBytes = end;
        if (isUsedUp()) {
            close();
        }
        return part;
    }

    private void fill(int end) throws IOException {
        try {
            file.seek(usedBytes);
            for (int position = usedBytes; position < end; position += ZEROS.length) {
                file.write(ZEROS, 0, Math.min(ZEROS.length, end - position));
            }
        } catch (IOException e) {
            file.setLength(usedBytes); // gives back what has been got in vain
            close();
            throw e;
        }
    }

    /** No further part is wanted; those that were given stay. */
    void close() {
        try {
            file.close();
        } catch (IOException e) {
            LOG.debug("cannot close a file of buffers", e);
        }
    }
}

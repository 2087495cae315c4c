/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.apache.crail.internal.FilePages;

/**
 * A directory in memory, from which memory is mapped that has all its pages: who touches a page that the file system has no room for
 * gets a signal instead of an error. The files lose their names before they are mapped, so that they end with their mappings. Stateless.
 */
final class BufferDirectory {
    private final Path path;
    private final FileStore store;

    /** Makes the directory if it is missing. */
    BufferDirectory(Path path) throws IOException {
        Files.createDirectories(path);
        this.path = path;
        this.store = Files.getFileStore(path);
    }

    /** Whether the system reserves pages when they are mapped, and files cannot be written. */
    boolean hasHugePages() {
        return FilePages.areHuge(store);
    }

    /** What lengths must be multiples of; 1 where anything goes. */
    long pageBytes() throws IOException {
        return hasHugePages() ? store.getBlockSize() : 1;
    }

    /** Maps new memory; does not end sooner for an interrupt. */
    MappedByteBuffer map(int bytes) throws IOException {
        if (store.getTotalSpace() > 0 && store.getUsableSpace() < bytes) {
            throw new IOException("only " + store.getUsableSpace() + " bytes are free there");
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return mapOnce(bytes);
                } catch (ClosedByInterruptException e) { // which has closed the file
                    interrupted = Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private MappedByteBuffer mapOnce(int bytes) throws IOException {
        try (FileChannel file = FileChannel.open(
                path.resolve("buffers-" + UUID.randomUUID()),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
            if (!hasHugePages()) {
                FilePages.fill(file, bytes);
            }
            return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.crail.internal.FilePages;
import org.apache.crail.internal.OwnFiles;

/**
 * A directory in memory that is the user's own, from which memory is mapped that has all its pages: who touches a page
 * that the file system has no room for gets a signal instead of an error. The files lose their names before they are
 * mapped, so that they end with their mappings. Stateless.
 */
final class BufferDirectory {
    private final Path path;
    private final FileStore store;

    /**
     * Makes the directory if it is missing.
     *
     * @throws IOException if it cannot be made or read, or is not the user's own
     */
    BufferDirectory(Path path) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            OwnFiles.ensureDirectory(path);
        } catch (IOException e) {
            throw new IOException(path + " " + e.getMessage(), e);
        }
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
        try (FileChannel file = OwnFiles.createNameless(path.resolve("buffers-" + UUID.randomUUID()))) {
            if (!hasHugePages()) {
                FilePages.fill(file, bytes);
            }
            return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        }
    }
}

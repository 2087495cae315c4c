/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.crail.internal.FilePages;

/**
 * What kind of memory the files of a directory are, and how it is mapped. Immutable.
 *
 * @param pageBytes what the place and length of a mapping must be multiples of, 1 where anything goes
 * @param isInMemory whether they are in memory, and not on a disk
 */
public record FileMemory(int pageBytes, boolean isInMemory) {
    private static final String SHARED_MEMORY = "tmpfs";

    /** Looks at the file system of a file or directory. */
    public static FileMemory of(Path path) throws IOException {
        FileStore store = Files.getFileStore(path);
        if (FilePages.areHuge(store)) {
            return new FileMemory((int) store.getBlockSize(), true);
        }
        return new FileMemory(1, store.type().equals(SHARED_MEMORY));
    }

    /** Whether files can only be filled through a mapping. */
    public boolean isHugePages() {
        return pageBytes > 1;
    }

    /**
     * Whether clients may use it as well: a copy never waits for a disk, and a file needs no more memory than its
     * bytes.
     */
    public boolean canBeShared() {
        return isInMemory && !isHugePages();
    }

    /** The least length of a mapping that has so many bytes. */
    public long roundedUp(long length) {
        return (length + pageBytes - 1) / pageBytes * pageBytes;
    }

    MappedByteBuffer map(FileChannel file, long start, long length) throws IOException {
        return file.map(FileChannel.MapMode.READ_WRITE, start, roundedUp(length));
    }
}

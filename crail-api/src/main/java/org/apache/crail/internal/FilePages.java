/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;

/**
 * Pages of files that are to be mapped. Who touches a page of a mapping that the file lacks, and the file system has no
 * room for, gets a signal instead of an error; so files get their pages before they are mapped. Stateless.
 */
public final class FilePages {
    private static final String HUGE_PAGES = "hugetlbfs";
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();

    private FilePages() {}

    /** Whether files there have huge pages: those are reserved by the mapping, and cannot be filled. */
    public static boolean areHuge(FileStore store) {
        return store.type().equals(HUGE_PAGES);
    }

    /**
     * Writes zeros from the position of a file on, until it has {@code length} bytes and all their pages.
     *
     * @throws IOException if there is no room for them; the file keeps those that it has got
     */
    public static void fill(FileChannel file, long length) throws IOException {
        ByteBuffer zeros = ZEROS.duplicate();
        while (file.position() < length) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), length - file.position()));
            file.write(zeros);
        }
    }
}

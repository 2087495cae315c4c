/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStore;

/** Copies the bytes of files to channels with several slices in flight. All methods are thread safe. */
final class FileToChannel {
    static final int DEFAULT_WINDOW = 4;

    private final CrailStore store;
    private final int window;
    private final LongConsumer progress;

    /**
     * Makes a reader.
     *
     * @param window how many slices are in flight at most
     * @param progress told the number of bytes of each slice
     */
    FileToChannel(CrailStore store, int window, LongConsumer progress) {
        this.store = store;
        this.window = window;
        this.progress = progress;
    }

    /** Copies the bytes from {@code position} to the end. */
    void copy(CrailFile file, long position, WritableByteChannel target) throws Exception {
        if (file.getCapacity() == position) {
            return;
        }
        CrailInputStream in = file.getDirectInputStream(file.getCapacity());
        try (SliceWindow slices = new SliceWindow(store, window, in::close)) {
            if (position > 0) {
                in.seek(position);
            }
            boolean more = true;
            while (more || !slices.isEmpty()) {
                more = more && issue(in, slices);
                if (slices.isFull() || (!more && !slices.isEmpty())) {
                    drain(slices, target);
                }
            }
        }
    }

    /** Begins a read; false at the end of the file. */
    private static boolean issue(CrailInputStream in, SliceWindow slices) throws Exception {
        CrailBuffer buffer = slices.buffer();
        Future<CrailResult> read = in.read(buffer);
        if (read == null) {
            slices.release(buffer);
            return false;
        }
        slices.add(buffer, read);
        return true;
    }

    private void drain(SliceWindow slices, WritableByteChannel target) throws Exception {
        long length = slices.awaitOldest();
        CrailBuffer buffer = slices.removeOldest();
        try {
            ByteBuffer bytes = buffer.getByteBuffer();
            bytes.position(0).limit((int) length);
            while (bytes.hasRemaining()) {
                target.write(bytes);
            }
        } finally {
            slices.release(buffer);
        }
        progress.accept(length);
    }
}

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
        copy(file, position, file.getCapacity(), target);
    }

    /** Copies the bytes from {@code position} to {@code end}, at most those that there are. */
    void copy(CrailFile file, long position, long end, WritableByteChannel target) throws Exception {
        long left = Math.min(end, file.getCapacity()) - position;
        if (left <= 0) {
            return;
        }
        CrailInputStream in = file.getDirectInputStream(position + left);
        try (SliceWindow slices = new SliceWindow(store, window, in)) {
            if (position > 0) {
                in.seek(position);
            }
            while (left > 0 || !slices.isEmpty()) {
                left -= left > 0 ? issue(in, slices, left) : 0;
                if (slices.isFull() || (left <= 0 && !slices.isEmpty())) {
                    drain(slices, target);
                }
            }
        }
    }

    /** Begins a read of at most {@code left} bytes; returns how many those are, all if the file has no more. */
    private static long issue(CrailInputStream in, SliceWindow slices, long left) throws Exception {
        CrailBuffer buffer = slices.buffer();
        buffer.limit((int) Math.min(left, buffer.capacity()));
        int length = buffer.remaining();
        Future<CrailResult> read = in.read(buffer);
        if (read == null) {
            slices.release(buffer);
            return left;
        }
        slices.add(buffer, read);
        return length;
    }

    private void drain(SliceWindow slices, WritableByteChannel target) throws Exception {
        long length = slices.awaitOldest();
        CrailBuffer buffer = slices.removeOldest();
        try {
            ByteBuffer bytes = buffer.getByteBuffer();
            bytes.limit((int) length).position(0);
            while (bytes.hasRemaining()) {
                target.write(bytes);
            }
        } finally {
            slices.release(buffer);
        }
        progress.accept(length);
    }
}

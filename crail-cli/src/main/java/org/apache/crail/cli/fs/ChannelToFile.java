/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.function.LongConsumer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStore;

/** Copies the bytes of channels to files with several slices in flight. All methods are thread safe. */
final class ChannelToFile {
    private final CrailStore store;
    private final int window;
    private final LongConsumer progress;

    /**
     * Makes a writer.
     *
     * @param window how many slices are in flight at most
     * @param progress told the number of bytes of each slice
     */
    ChannelToFile(CrailStore store, int window, LongConsumer progress) {
        this.store = store;
        this.window = window;
        this.progress = progress;
    }

    /**
     * Copies all bytes of a channel, and closes the file.
     *
     * @param sizeHint how many bytes there probably are
     */
    void copy(ReadableByteChannel source, CrailFile file, long sizeHint) throws Exception {
        copy(source, file.getDirectOutputStream(sizeHint));
    }

    /** Appends all bytes of a channel to a file, and closes it. */
    void append(ReadableByteChannel source, CrailFile file) throws Exception {
        copy(source, file.openForAppend(0));
    }

    private void copy(ReadableByteChannel source, CrailOutputStream out) throws Exception {
        try (SliceWindow slices = new SliceWindow(store, window, out)) {
            while (issue(source, out, slices)) {
                if (slices.isFull()) {
                    drain(slices);
                }
            }
            while (!slices.isEmpty()) {
                drain(slices);
            }
        }
    }

    /** Reads a slice and begins to write it; false at the end of the source. */
    private static boolean issue(ReadableByteChannel source, CrailOutputStream out, SliceWindow slices)
            throws Exception {
        CrailBuffer buffer = slices.buffer();
        int length = fill(source, buffer.getByteBuffer());
        if (length == 0) {
            slices.release(buffer);
            return false;
        }
        buffer.position(0).limit(length);
        slices.add(buffer, out.write(buffer));
        return true;
    }

    private static int fill(ReadableByteChannel source, ByteBuffer target) throws IOException {
        int length = 0;
        while (target.hasRemaining()) {
            int read = source.read(target);
            if (read < 0) {
                break;
            }
            length += read;
        }
        return length;
    }

    private void drain(SliceWindow slices) throws Exception {
        long length = slices.awaitOldest();
        slices.release(slices.removeOldest());
        progress.accept(length);
    }
}

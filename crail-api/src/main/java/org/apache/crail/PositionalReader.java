/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.util.concurrent.Future;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.error.StorageFailureException;

/**
 * Reads anywhere in a file through a stream and a buffer of its own, made when they are first needed, so that the
 * position of no other stream moves. All methods are thread safe; reads are done one after the other.
 */
final class PositionalReader {
    private final CrailFile file;
    private final String what;
    private CrailInputStream stream;
    private CrailBuffer buffer;

    PositionalReader(CrailFile file) {
        this.file = file;
        this.what = "reading " + file.getPath();
    }

    /** Reads from {@code position} as many bytes as there are, at most {@code length}; -1 if there is none. */
    synchronized int read(long position, byte[] target, int offset, int length) throws IOException {
        if (position < 0 || position > file.getCapacity()) {
            throw new PositionOutOfRangeException("cannot read " + file.getPath() + " at " + position
                    + ": positions run from 0 to " + file.getCapacity());
        }
        open();
        Calls.run(what, () -> stream.seek(position));
        int done = 0;
        while (done < length) {
            buffer.clear().limit(Math.min(buffer.capacity(), length - done));
            int part = transfer();
            if (part < 0) {
                break;
            }
            buffer.clear().limit(part);
            buffer.get(target, offset + done, part);
            done += part;
        }
        return done == 0 ? -1 : done;
    }

    private void open() throws IOException {
        if (stream == null) {
            stream = Calls.io(what, () -> file.getDirectInputStream(0));
        }
        if (buffer == null) {
            buffer = Calls.io(what, () -> file.getFileSystem().allocateBuffer());
        }
    }

    private int transfer() throws IOException {
        long before = stream.position();
        Future<CrailResult> future = Calls.io(what, () -> stream.read(buffer));
        if (future == null) {
            return -1;
        }
        long expected = stream.position() - before;
        long read = Calls.awaitUninterruptibly(what, future).getLen();
        if (read != expected) {
            throw new StorageFailureException(
                    what + " failed: " + read + " of " + expected + " bytes at offset " + before + " were read");
        }
        return (int) read;
    }

    /** Gives stream and buffer back. */
    synchronized void close() throws IOException {
        CrailInputStream openStream = stream;
        CrailBuffer ownBuffer = buffer;
        stream = null;
        buffer = null;
        Calls.all(
                "closing " + file.getPath(),
                () -> {
                    if (openStream != null) {
                        openStream.close();
                    }
                },
                () -> {
                    if (ownBuffer != null) {
                        file.getFileSystem().freeBuffer(ownBuffer);
                    }
                });
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.InputStream;

/**
 * The next bytes of a stream, which must have them all: its early end is a failure here, and no {@link
 * java.io.EOFException}, as Spark's deserializers take that for the end of their records. Closing goes to the end of
 * these bytes and leaves the stream open. Not thread safe.
 */
final class BoundedStream extends InputStream {
    private final InputStream source;
    private long left;

    BoundedStream(InputStream source, long bytes) {
        this.source = source;
        this.left = bytes;
    }

    @Override
    public int read() throws IOException {
        if (left == 0) {
            return -1;
        }
        int value = source.read();
        count(value < 0 ? -1 : 1);
        return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (left == 0 || length == 0) {
            return length == 0 ? 0 : -1;
        }
        int read = source.read(target, offset, (int) Math.min(length, left));
        count(read);
        return read;
    }

    private void count(int read) throws BrokenOutputException {
        if (read < 0) {
            throw new BrokenOutputException(left + " bytes of a map output are missing");
        }
        left -= read;
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(left, source.available());
    }

    @Override
    public void close() throws IOException {
        while (left > 0) {
            long skipped = source.skip(left);
            if (skipped > 0) {
                left -= skipped;
            } else {
                count(source.read() < 0 ? -1 : 1);
            }
        }
    }
}

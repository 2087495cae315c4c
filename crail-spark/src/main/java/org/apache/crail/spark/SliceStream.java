/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.apache.crail.CrailBuffer;

/** The bytes of slices, one behind the other; closing it releases them. Read by one thread, closed by any when idle. */
final class SliceStream extends InputStream {
    private final Deque<BufferSlices.Slice> slices;

    /** Takes the slices over. */
    SliceStream(List<BufferSlices.Slice> slices) {
        this.slices = new ArrayDeque<>(slices);
    }

    @Override
    public synchronized int read() {
        CrailBuffer bytes = bytes();
        return bytes == null ? -1 : bytes.get() & 0xff;
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, target.length);
        CrailBuffer bytes = bytes();
        if (bytes == null || length == 0) {
            return length == 0 ? 0 : -1;
        }
        int part = Math.min(length, bytes.remaining());
        CrailBuffer ignored = bytes.get(target, offset, part);
        return part;
    }

    /** Compares all bytes, of which none has been read yet. */
    synchronized void check(RangeChecksums checksums) throws BrokenOutputException {
        for (BufferSlices.Slice slice : slices) {
            checksums.take(slice.bytes().getByteBuffer().duplicate());
        }
    }

    /** What is left of the first slice that is not at its end; null if there is none. */
    private CrailBuffer bytes() {
        while (!slices.isEmpty()) {
            CrailBuffer first = slices.peek().bytes();
            if (first.hasRemaining()) {
                return first;
            }
            slices.poll().release();
        }
        return null;
    }

    @Override
    public synchronized int available() throws IOException {
        CrailBuffer bytes = bytes();
        return bytes == null ? 0 : bytes.remaining();
    }

    @Override
    public synchronized void close() {
        slices.forEach(BufferSlices.Slice::release);
        slices.clear();
    }
}

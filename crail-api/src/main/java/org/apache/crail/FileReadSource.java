/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.internal.NearStream;

/**
 * Reads one file. The first read after the opening or a seek fetches what was asked for or hinted at, and at least
 * {@value #FIRST_READ} bytes; when the caller goes on behind it, whole slices are read ahead. Not thread safe.
 */
final class FileReadSource implements ReadSource {
    /**
     * Bytes that the first read after a seek fetches at least: a transfer of this size takes little longer than one of
     * a few bytes.
     */
    private static final int FIRST_READ = 64 * 1024;

    private final CrailInputStream stream;
    private long hint;

    /** Offset of the byte that the next read begins with; the stream may be elsewhere after a failure. */
    private long next;

    private boolean begun;
    private boolean sequential;

    FileReadSource(CrailInputStream stream, long hint) {
        this.stream = stream;
        this.hint = hint;
    }

    CrailInputStream stream() {
        return stream;
    }

    @Override
    public boolean isNear() {
        return stream instanceof NearStream near && near.isNear();
    }

    @Override
    public int copy(ByteBuffer target) throws Exception {
        if (!(stream instanceof NearStream near)) {
            return 0;
        }
        seekNext();
        int copied = near.copy(target);
        if (copied > 0) {
            begun(copied);
        }
        return copied;
    }

    private void seekNext() throws IOException {
        if (stream.position() != next) {
            stream.seek(next);
        }
    }

    private void begun(int bytes) {
        sequential |= begun;
        begun = true;
        next += bytes;
    }

    @Override
    public ReadOperation start(CrailBuffer slice, int wanted, boolean mayBlock) throws Exception {
        seekNext();
        sequential |= begun;
        int size = slice.capacity();
        int aligned = size - (int) (next % size);
        long asked = Math.max(Math.max(wanted, FIRST_READ), hint - next);
        slice.limit(sequential ? aligned : (int) Math.min(aligned, asked));
        ReadOperation operation = ReadOperation.start(stream, slice, Long.MAX_VALUE);
        if (operation != null) {
            begun(operation.length());
        }
        return operation;
    }

    @Override
    public boolean isSequential() {
        return sequential || next < hint;
    }

    @Override
    public void expectSequential() {
        sequential = true;
    }

    @Override
    public long rest() {
        long left = stream.getFile().getCapacity() - stream.position(); // available() counts to 2 GiB
        return left > 0 ? left : stream.available(); // which may learn of more
    }

    @Override
    public void finished(ReadOperation operation) {}

    @Override
    public void retry(long position, IOException failure) throws Exception {
        reposition(position);
    }

    @Override
    public void reposition(long position) throws Exception {
        if (position < 0) {
            throw new PositionOutOfRangeException(
                    "cannot seek to " + position + " in " + stream.getFile().getPath() + ": positions count from 0");
        }
        stream.seek(position);
        next = position;
        hint = 0;
        begun = false;
        sequential = false;
    }

    @Override
    public void close() throws Exception {
        stream.close();
    }
}

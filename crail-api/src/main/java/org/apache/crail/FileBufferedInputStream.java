/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail;

import java.io.IOException;

/** A buffered stream over one file. Not thread safe, except for reads at a given position. */
class FileBufferedInputStream extends CrailBufferedInputStream {
    private final CrailInputStream stream;
    private final PositionalReader positional;

    FileBufferedInputStream(CrailFile file, long readHint) throws Exception {
        this(file, readHint, file.getDirectInputStream(readHint));
    }

    private FileBufferedInputStream(CrailFile file, long readHint, CrailInputStream stream) {
        super(file, new FileReadSource(stream, readHint), new SlicePool(file.getFileSystem(), 0));
        this.stream = stream;
        this.positional = new PositionalReader(file);
    }

    @Override
    public CrailInputStream getStream() {
        return stream;
    }

    @Override
    public void putStream() {}

    @Override
    int readAt(long position, byte[] target, int offset, int length) throws IOException {
        return positional.read(position, target, offset, length);
    }

    @Override
    public long skip(long count) throws IOException {
        checkOpen();
        long before = position();
        long left = stream.getFile().getCapacity() - before; // available() counts to 2 GiB
        long skipped = Math.max(0, Math.min(count, left));
        seek(before + skipped);
        return skipped;
    }

    @Override
    void release() throws IOException {
        positional.close();
    }
}

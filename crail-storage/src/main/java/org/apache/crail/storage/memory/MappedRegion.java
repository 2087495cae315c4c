/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A file, in memory as a rule, that holds whole blocks. It is mapped in segments of at most 1 GiB, and no block crosses the end of one.
 * Thread safe; the bytes are not guarded.
 */
public final class MappedRegion implements BlockFile {
    static final int MOST_SEGMENT_BYTES = SegmentLayout.MOST_BYTES;

    private final SegmentLayout layout;
    private final ByteBuffer[] segments;
    private final long blockBytes;

    private MappedRegion(SegmentLayout layout, ByteBuffer[] segments, long blockBytes) {
        this.layout = layout;
        this.segments = segments;
        this.blockBytes = blockBytes;
    }

    /**
     * Maps the first {@code length} bytes of a file, all of whose pages exist, and touches them now if they are in memory.
     * On other media there may be more of them than memory holds.
     */
    static MappedRegion map(FileChannel file, long length, long blockBytes, FileMemory kind) throws IOException {
        SegmentLayout layout = SegmentLayout.of(length, blockBytes);
        ByteBuffer[] segments = new ByteBuffer[layout.count()];
        for (int i = 0; i < segments.length; i++) {
            if (layout.start(i) % kind.pageBytes() != 0) {
                throw new IOException("blocks of " + blockBytes + " bytes do not fit pages of " + kind.pageBytes()
                        + " bytes; lower the allocation size to 1 GiB or less, or choose another block size");
            }
            MappedByteBuffer segment = kind.map(file, layout.start(i), layout.lengthOf(i));
            segments[i] = (kind.isInMemory() ? segment.load() : segment).slice(0, layout.lengthOf(i));
        }
        return new MappedRegion(layout, segments, blockBytes);
    }

    @Override
    public long length() {
        return layout.length();
    }

    @Override
    public long blockBytes() {
        return blockBytes;
    }

    /** The bytes of a range that lies within one block; shared, not copied. */
    public ByteBuffer slice(long offset, int length) {
        return segments[layout.segmentOf(offset)].slice(layout.offsetInSegment(offset), length);
    }

    /** Copies the bytes between a buffer's position and limit to or from a range that lies within one block. */
    void copy(boolean intoRegion, long offset, ByteBuffer buffer) {
        ByteBuffer segment = segments[layout.segmentOf(offset)];
        int start = layout.offsetInSegment(offset);
        if (intoRegion) {
            segment.put(start, buffer, buffer.position(), buffer.remaining());
        } else {
            buffer.put(buffer.position(), segment, start, buffer.remaining());
        }
    }

    /** In how many pieces it is mapped. */
    public int segments() {
        return segments.length;
    }

    /** All bytes of one piece, which follow those of the piece before; shared, not copied. */
    public ByteBuffer segment(int index) {
        return segments[index].duplicate().clear();
    }
}

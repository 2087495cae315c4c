/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/** A file in memory, with the epochs of its blocks. Thread safe; the bytes are not guarded. */
final class MappedRegion {
    private final SegmentLayout layout;
    private final MappedByteBuffer[] segments;
    private final BlockEpochs epochs;
    private final long blockBytes;

    private MappedRegion(SegmentLayout layout, MappedByteBuffer[] segments, long blockBytes) {
        this.layout = layout;
        this.segments = segments;
        this.blockBytes = blockBytes;
        this.epochs = new BlockEpochs((int) (layout.length() / blockBytes));
    }

    /** Maps the first {@code length} bytes of a file, all of whose pages exist, and touches them. */
    static MappedRegion map(FileChannel file, long length, long blockBytes) throws IOException {
        SegmentLayout layout = SegmentLayout.of(length, blockBytes);
        MappedByteBuffer[] segments = new MappedByteBuffer[layout.count()];
        for (int i = 0; i < segments.length; i++) {
            segments[i] = file.map(FileChannel.MapMode.READ_WRITE, layout.start(i), layout.lengthOf(i))
                    .load();
        }
        return new MappedRegion(layout, segments, blockBytes);
    }

    long length() {
        return layout.length();
    }

    BlockEpochs epochs() {
        return epochs;
    }

    /** Whether a block can begin at this address and have this length. */
    boolean hasBlock(long address, long length) {
        return address >= 0
                && length >= 0
                && length <= blockBytes
                && address % blockBytes == 0
                && address <= layout.length() - blockBytes;
    }

    int blockOf(long address) {
        return (int) (address / blockBytes);
    }

    /** The bytes of a range that lies within one block. */
    ByteBuffer slice(long offset, int length) {
        return segments[layout.segmentOf(offset)].slice(layout.offsetInSegment(offset), length);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

/**
 * How a region of any length is cut into mappings, each of which is addressed by an int. Immutable.
 *
 * @param length of the region in bytes
 * @param segmentBytes length of each segment but the last, a multiple of the block size
 */
record SegmentLayout(long length, int segmentBytes) {
    static final int MOST_BYTES = 1 << 30;

    /** Cuts {@code length} bytes so that no block crosses the end of a segment. */
    static SegmentLayout of(long length, long blockBytes) {
        return new SegmentLayout(length, segmentBytesOf(blockBytes));
    }

    /** As many whole blocks as one mapping may have. */
    static int segmentBytesOf(long blockBytes) {
        return (int) (MOST_BYTES / blockBytes * blockBytes);
    }

    int count() {
        return (int) ((length + segmentBytes - 1) / segmentBytes);
    }

    /** Which segment holds the byte at this offset of the region. */
    int segmentOf(long offset) {
        return (int) (offset / segmentBytes);
    }

    /** Where in its segment this byte is. */
    int offsetInSegment(long offset) {
        return (int) (offset % segmentBytes);
    }

    /** Where a segment begins in the region. */
    long start(int segment) {
        return (long) segment * segmentBytes;
    }

    int lengthOf(int segment) {
        return (int) Math.min(segmentBytes, length - start(segment));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Compares the bytes of a range, one behind the other, with the checksums of its chunks. Not thread safe. */
final class RangeChecksums {
    private final PartitionIndex index;
    private final CRC32C checksum = new CRC32C();

    /** To which the next byte belongs, unless it is at its end. */
    private int partition;

    private long leftOfPartition;
    private int chunk;
    private int leftOfChunk;

    /** For a range of all partitions of which the index knows. */
    RangeChecksums(PartitionIndex index) {
        this.index = index;
        this.partition = index.first();
        this.leftOfPartition = index.length(partition);
    }

    /** How many of the next bytes belong to one chunk; 0 behind the last partition. */
    int chunkBytes() {
        if (leftOfChunk == 0) {
            while (leftOfPartition == 0 && partition + 1 < index.end()) {
                partition++;
                leftOfPartition = index.length(partition);
            }
            leftOfChunk = (int) Math.min(leftOfPartition, PartitionIndex.CHUNK_BYTES);
            leftOfPartition -= leftOfChunk;
        }
        return leftOfChunk;
    }

    /**
     * Takes the next bytes, up to the limit.
     *
     * @throws BrokenOutputException if a chunk ends with them that was written with other bytes
     */
    void take(ByteBuffer bytes) throws BrokenOutputException {
        while (bytes.hasRemaining()) {
            int part = Math.min(chunkBytes(), bytes.remaining());
            assert part > 0 : "behind the range";
            checksum.update(bytes.slice(bytes.position(), part));
            bytes.position(bytes.position() + part);
            leftOfChunk -= part;
            if (leftOfChunk == 0) {
                compare();
            }
        }
    }

    private void compare() throws BrokenOutputException {
        int expected = index.checksum(chunk++);
        boolean isRight = (int) checksum.getValue() == expected;
        checksum.reset();
        if (!isRight) {
            throw new BrokenOutputException("partition " + partition + " has other bytes than were written");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Compares the bytes of a range, one behind the other, with the checksums of its partitions. Not thread safe. */
final class RangeChecksums {
    private final PartitionIndex index;
    private final CRC32C checksum = new CRC32C();

    /** To which the next byte belongs, unless it is at its end. */
    private int partition;

    /** Of that partition. */
    private long left;

    /** For a range that begins with a partition. */
    RangeChecksums(PartitionIndex index, int firstPartition) {
        this.index = index;
        this.partition = firstPartition;
        this.left = index.length(firstPartition);
    }

    /**
     * Takes the next bytes, up to the limit.
     *
     * @throws BrokenOutputException if a partition ends with them that was written with other bytes
     */
    void take(ByteBuffer bytes) throws BrokenOutputException {
        while (bytes.hasRemaining()) {
            while (left == 0) {
                partition++;
                left = index.length(partition);
            }
            int part = (int) Math.min(left, bytes.remaining());
            checksum.update(bytes.slice(bytes.position(), part));
            bytes.position(bytes.position() + part);
            left -= part;
            if (left == 0) {
                compare();
            }
        }
    }

    private void compare() throws BrokenOutputException {
        if ((int) checksum.getValue() != index.checksum(partition)) {
            throw new BrokenOutputException("partition " + partition + " has other bytes than were written");
        }
        checksum.reset();
    }
}

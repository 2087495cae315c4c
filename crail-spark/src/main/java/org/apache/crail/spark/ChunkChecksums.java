/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.util.Arrays;
import java.util.zip.CRC32C;

/** The checksums of partitions that are being written, one for each chunk, in order. Not thread safe. */
final class ChunkChecksums {
    private final CRC32C checksum = new CRC32C();
    private int[] done = new int[16];
    private int count;

    /** Of the present chunk. */
    private int bytes;

    /** Takes the next bytes of the present partition. */
    void take(byte[] source, int offset, int length) {
        for (int left = length; left > 0; ) {
            int part = Math.min(left, PartitionIndex.CHUNK_BYTES - bytes);
            checksum.update(source, offset + length - left, part);
            bytes += part;
            left -= part;
            if (bytes == PartitionIndex.CHUNK_BYTES) {
                endChunk();
            }
        }
    }

    /** What follows is another partition. */
    void endPartition() {
        if (bytes > 0) {
            endChunk();
        }
    }

    private void endChunk() {
        if (count == done.length) {
            done = Arrays.copyOf(done, count * 2);
        }
        done[count++] = (int) checksum.getValue();
        checksum.reset();
        bytes = 0;
    }

    /** Of all partitions that have ended. */
    int[] all() {
        return Arrays.copyOf(done, count);
    }
}

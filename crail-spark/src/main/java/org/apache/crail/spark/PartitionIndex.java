/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Where the partitions of a map output are. The file of an output is
 *
 * <pre>
 *   partition 0 | partition 1 | ... | lengths | foot
 *   lengths: of each partition in bytes, 7 bits a byte, lowest first, the top bit set on all bytes but the last
 *   foot:    bytes of the lengths (4) | partitions (4) | bytes of all partitions (8) | CRC32C (4) | MAGIC (4)
 * </pre>
 *
 * The checksum is that of the lengths and of the foot before it. Numbers are big-endian. Immutable.
 */
final class PartitionIndex {
    private static final int MAGIC = 0x43526d31; // "CRm1"
    private static final int CHECKED_FOOT_BYTES = 16;
    private static final int FOOT_BYTES = CHECKED_FOOT_BYTES + 8;

    /** Where each partition begins; and where the last one ends. */
    private final long[] offsets;

    private PartitionIndex(long[] offsets) {
        this.offsets = offsets;
    }

    /** What follows partitions of these lengths in the file. */
    static ByteBuffer encode(long[] lengths) {
        long dataBytes = 0;
        int most = FOOT_BYTES;
        for (long length : lengths) {
            dataBytes += length;
            most += varintBytes(length);
        }
        ByteBuffer tail = ByteBuffer.allocate(most);
        for (long length : lengths) {
            putVarint(tail, length);
        }
        tail.putInt(tail.position()).putInt(lengths.length).putLong(dataBytes);
        return tail.putInt(checksum(tail.duplicate().flip())).putInt(MAGIC).flip();
    }

    /** How many bytes at the end of such a file have the index at most; all of it if it is short. */
    static int mostTailBytes(int partitions, long fileBytes) {
        return (int) Math.min(fileBytes, FOOT_BYTES + (long) partitions * varintBytes(fileBytes));
    }

    /**
     * Reads an index.
     *
     * @param tail the end of the file, at least what {@link #mostTailBytes} says
     * @throws BrokenOutputException if that is no index of so many partitions and of a file of that length
     */
    static PartitionIndex decode(ByteBuffer tail, int partitions, long fileBytes) throws BrokenOutputException {
        int footAt = tail.limit() - FOOT_BYTES;
        require(footAt >= 0 && tail.getInt(tail.limit() - 4) == MAGIC, "it has no index at its end");
        int lengthsBytes = tail.getInt(footAt);
        require(lengthsBytes >= 0 && lengthsBytes <= footAt, "its index is longer than can be");
        ByteBuffer checked = tail.duplicate().position(footAt - lengthsBytes).limit(footAt + CHECKED_FOOT_BYTES);
        require(checksum(checked.duplicate()) == tail.getInt(tail.limit() - 8), "the checksum of its index is wrong");
        require(tail.getInt(footAt + 4) == partitions, "it has another number of partitions");
        long[] offsets = new long[partitions + 1];
        try {
            for (int i = 0; i < partitions; i++) {
                offsets[i + 1] = offsets[i] + varint(checked);
            }
        } catch (BufferUnderflowException e) {
            throw new BrokenOutputException("its index is shorter than its number of partitions");
        }
        long dataBytes = tail.getLong(footAt + 8);
        boolean isWhole = dataBytes == offsets[partitions] && dataBytes + lengthsBytes + FOOT_BYTES == fileBytes;
        require(isWhole, "its length is not that of its partitions");
        return new PartitionIndex(offsets);
    }

    private static void require(boolean isSo, String otherwise) throws BrokenOutputException {
        if (!isSo) {
            throw new BrokenOutputException(otherwise);
        }
    }

    int partitions() {
        return offsets.length - 1;
    }

    /** Where a partition begins; for the number of partitions, where the last one ends. */
    long offset(int partition) {
        return offsets[partition];
    }

    long length(int partition) {
        return offsets[partition + 1] - offsets[partition];
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private static int varintBytes(long value) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
    }

    private static void putVarint(ByteBuffer target, long value) {
        long rest = value;
        while (rest > 0x7f) {
            target.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        target.put((byte) rest);
    }

    private static long varint(ByteBuffer source) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = source.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}

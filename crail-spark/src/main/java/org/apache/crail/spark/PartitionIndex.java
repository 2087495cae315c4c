/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Where the partitions of a map output are. The file of an output is
 *
 * <pre>
 *   partition 0 | partition 1 | ... | lengths | checksums | foot
 *   lengths:   of each partition in bytes, 7 bits a byte, lowest first, the top bit set on all bytes but the last
 *   checksums: CRC32C of each partition that is not empty (4)
 *   foot:      bytes of the two before (4) | partitions (4) | bytes of all partitions (8) | CRC32C (4) | MAGIC (4)
 * </pre>
 *
 * The last checksum is that of the lengths, the checksums and the foot before it. Numbers are big-endian. Immutable.
 */
final class PartitionIndex {
    private static final int MAGIC = 0x43526d32; // "CRm2"
    private static final int CHECKED_FOOT_BYTES = 16;
    private static final int FOOT_BYTES = CHECKED_FOOT_BYTES + 8;

    /** The first partition of which this knows. */
    private final int first;

    /** Where each partition begins; and where the last one ends. */
    private final long[] offsets;

    /** Of each partition; any for an empty one. */
    private final int[] checksums;

    private PartitionIndex(int first, long[] offsets, int[] checksums) {
        this.first = first;
        this.offsets = offsets;
        this.checksums = checksums;
    }

    /** The index of some partitions only; {@code end} is exclusive. */
    PartitionIndex part(int begin, int end) {
        return new PartitionIndex(
                begin,
                Arrays.copyOfRange(offsets, begin - first, end - first + 1),
                Arrays.copyOfRange(checksums, begin - first, end - first));
    }

    /** What follows partitions of these lengths and checksums in the file. */
    static ByteBuffer encode(long[] lengths, int[] checksums) {
        long dataBytes = 0;
        int most = FOOT_BYTES;
        for (long length : lengths) {
            dataBytes += length;
            most += varintBytes(length) + Integer.BYTES;
        }
        ByteBuffer tail = ByteBuffer.allocate(most);
        for (long length : lengths) {
            putVarint(tail, length);
        }
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] > 0) {
                tail.putInt(checksums[i]);
            }
        }
        tail.putInt(tail.position()).putInt(lengths.length).putLong(dataBytes);
        return tail.putInt(checksum(tail.duplicate().flip())).putInt(MAGIC).flip();
    }

    /** How many bytes at the end of such a file have the index at most; all of it if it is short. */
    static int mostTailBytes(int partitions, long fileBytes) {
        return (int) Math.min(fileBytes, FOOT_BYTES + (long) partitions * (varintBytes(fileBytes) + Integer.BYTES));
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
        int indexBytes = tail.getInt(footAt);
        require(indexBytes >= 0 && indexBytes <= footAt, "its index is longer than can be");
        ByteBuffer checked = tail.duplicate().position(footAt - indexBytes).limit(footAt + CHECKED_FOOT_BYTES);
        require(checksum(checked.duplicate()) == tail.getInt(tail.limit() - 8), "the checksum of its index is wrong");
        require(tail.getInt(footAt + 4) == partitions, "it has another number of partitions");
        long[] offsets = new long[partitions + 1];
        int[] checksums = new int[partitions];
        try {
            for (int i = 0; i < partitions; i++) {
                offsets[i + 1] = offsets[i] + varint(checked);
            }
            for (int i = 0; i < partitions; i++) {
                checksums[i] = offsets[i + 1] > offsets[i] ? checked.getInt() : 0;
            }
        } catch (BufferUnderflowException e) {
            throw new BrokenOutputException("its index is shorter than its number of partitions");
        }
        long dataBytes = tail.getLong(footAt + 8);
        boolean isWhole = dataBytes == offsets[partitions] && dataBytes + indexBytes + FOOT_BYTES == fileBytes;
        require(isWhole, "its length is not that of its partitions");
        return new PartitionIndex(0, offsets, checksums);
    }

    private static void require(boolean isSo, String otherwise) throws BrokenOutputException {
        if (!isSo) {
            throw new BrokenOutputException(otherwise);
        }
    }

    /** Where a partition begins; for the one behind the last, where that ends. */
    long offset(int partition) {
        return offsets[partition - first];
    }

    long length(int partition) {
        return offset(partition + 1) - offset(partition);
    }

    int checksum(int partition) {
        return checksums[partition - first];
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

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
 *   checksums: CRC32C of each chunk (4): each MiB of a partition, the last one what is left; none of an empty one
 *   foot:      bytes of the two before (4) | partitions (4) | bytes of all partitions (8) | CRC32C (4) | MAGIC (4)
 * </pre>
 *
 * The last checksum is that of the lengths, the checksums and the foot before it. Numbers are big-endian. Immutable.
 */
final class PartitionIndex {
    /** Of which each has a checksum; the last one of a partition is shorter. */
    static final int CHUNK_BYTES = 1 << 20;

    private static final int MAGIC = 0x43526d32; // "CRm2"
    private static final int CHECKED_FOOT_BYTES = 16;
    private static final int FOOT_BYTES = CHECKED_FOOT_BYTES + 8;

    private final int first;

    /** Where each partition begins; and where the last one ends. */
    private final long[] offsets;

    /** Of each chunk of these partitions. */
    private final int[] checksums;

    private PartitionIndex(int first, long[] offsets, int[] checksums) {
        this.first = first;
        this.offsets = offsets;
        this.checksums = checksums;
    }

    /** The index of some partitions only; {@code end} is exclusive. */
    PartitionIndex part(int begin, int end) {
        int chunk = chunks(begin);
        return new PartitionIndex(
                begin,
                Arrays.copyOfRange(offsets, begin - first, end - first + 1),
                Arrays.copyOfRange(checksums, chunk, chunks(end)));
    }

    /** How many chunks are before a partition. */
    private int chunks(int partition) {
        long chunks = 0;
        for (int i = first; i < partition; i++) {
            chunks += chunks(length(i));
        }
        return (int) chunks;
    }

    private static long chunks(long length) {
        return (length + CHUNK_BYTES - 1) / CHUNK_BYTES;
    }

    /** What follows partitions of these lengths in the file, with the checksums of their chunks. */
    static ByteBuffer encode(long[] lengths, int[] checksums) {
        long dataBytes = 0;
        int most = FOOT_BYTES + checksums.length * Integer.BYTES;
        for (long length : lengths) {
            dataBytes += length;
            most += varintBytes(length);
        }
        ByteBuffer tail = ByteBuffer.allocate(most);
        for (long length : lengths) {
            putVarint(tail, length);
        }
        for (int checksum : checksums) {
            tail.putInt(checksum);
        }
        tail.putInt(tail.position()).putInt(lengths.length).putLong(dataBytes);
        return tail.putInt(checksum(tail.duplicate().flip())).putInt(MAGIC).flip();
    }

    /** How many bytes at the end of such a file have the index at most; all of it if it is short. */
    static int mostTailBytes(int partitions, long fileBytes) {
        long mostChunks = partitions + fileBytes / CHUNK_BYTES;
        long mostIndexBytes = (long) partitions * varintBytes(fileBytes) + mostChunks * Integer.BYTES;
        return (int) Math.min(fileBytes, FOOT_BYTES + mostIndexBytes);
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
        long chunks = 0;
        try {
            for (int i = 0; i < partitions; i++) {
                long length = varint(checked);
                offsets[i + 1] = offsets[i] + length;
                chunks += chunks(length);
            }
        } catch (BufferUnderflowException e) {
            throw new BrokenOutputException("its index is shorter than its number of partitions");
        }
        boolean isFull = chunks * Integer.BYTES == checked.remaining() - CHECKED_FOOT_BYTES;
        require(isFull, "its index has other checksums than its partitions ask for");
        int[] checksums = new int[(int) chunks];
        checked.asIntBuffer().get(checksums);
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

    /** The first partition of which this knows. */
    int first() {
        return first;
    }

    /** Behind the last one. */
    int end() {
        return first + offsets.length - 1;
    }

    /** That of a chunk; the first one of the first partition is number 0. */
    int checksum(int chunk) {
        return checksums[chunk];
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

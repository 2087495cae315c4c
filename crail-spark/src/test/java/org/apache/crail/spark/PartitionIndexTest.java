/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What follows the partitions in the file of a map output. */
@Tag("spark")
class PartitionIndexTest {
    private static final long[] LENGTHS = {0, 1, 127, 128, 0, (3L << 20) + 5, 0};
    private static final int[] CHECKSUMS = {11, 12, 13, -15, 16, 17, 18};
    private static final long DATA_BYTES = LongStream.of(LENGTHS).sum();

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    }

    @Test
    void shouldTellWherePartitionsAre() throws Exception {
        ByteBuffer tail = PartitionIndex.encode(LENGTHS, CHECKSUMS);
        long fileBytes = DATA_BYTES + tail.remaining();

        PartitionIndex index = PartitionIndex.decode(tail, LENGTHS.length, fileBytes);

        long offset = 0;
        for (int i = 0; i < LENGTHS.length; i++) {
            assertThat(index.offset(i)).isEqualTo(offset);
            assertThat(index.length(i)).isEqualTo(LENGTHS[i]);
            offset += LENGTHS[i];
        }
        for (int i = 0; i < CHECKSUMS.length; i++) {
            assertThat(index.checksum(i)).isEqualTo(CHECKSUMS[i]);
        }
        assertThat(index.offset(LENGTHS.length)).isEqualTo(DATA_BYTES);
    }

    @Test
    void shouldTellOfAPartTheSame() throws Exception {
        ByteBuffer tail = PartitionIndex.encode(LENGTHS, CHECKSUMS);
        PartitionIndex index = PartitionIndex.decode(tail, LENGTHS.length, DATA_BYTES + tail.remaining());
        PartitionIndex part = index.part(2, 6);
        for (int i = 2; i < 6; i++) {
            assertThat(part.offset(i)).isEqualTo(index.offset(i));
            assertThat(part.length(i)).isEqualTo(LENGTHS[i]);
        }
        assertThat(List.of(part.first(), part.end())).containsExactly(2, 6);
        for (int i = 1; i < CHECKSUMS.length; i++) {
            assertThat(part.checksum(i - 1)).isEqualTo(CHECKSUMS[i]);
        }
        assertThat(part.part(3, 5).checksum(0)).isEqualTo(CHECKSUMS[2]);
        assertThat(part.part(5, 6).checksum(3)).isEqualTo(CHECKSUMS[6]);
        assertThat(part.part(3, 5).offset(5)).isEqualTo(index.offset(5));
    }

    @Test
    void shouldFitTheTailThatReadersAskFor() throws Exception {
        Random random = new Random(42);
        for (int partitions = 1; partitions < 2_000; partitions = partitions * 3 + 1) {
            int mostBits = random.nextInt(1, partitions < 10 ? 35 : 27);
            long[] lengths = random.longs(partitions, 0, 1L << mostBits).toArray();
            long chunks = LongStream.of(lengths)
                    .map(length -> (length + PartitionIndex.CHUNK_BYTES - 1) / PartitionIndex.CHUNK_BYTES)
                    .sum();
            ByteBuffer index = PartitionIndex.encode(lengths, new int[(int) chunks]);
            long fileBytes = LongStream.of(lengths).sum() + index.remaining();
            int most = PartitionIndex.mostTailBytes(partitions, fileBytes);
            assertThat(most).isGreaterThanOrEqualTo(index.remaining());
            ByteBuffer tail = ByteBuffer.allocate(most)
                    .position(most - index.remaining())
                    .put(index.duplicate())
                    .rewind();
            assertThat(PartitionIndex.decode(tail, partitions, fileBytes).offset(partitions))
                    .isEqualTo(LongStream.of(lengths).sum());
        }
    }

    @Test
    void shouldRefuseEachChangedBit() {
        ByteBuffer tail = PartitionIndex.encode(LENGTHS, CHECKSUMS);
        long fileBytes = DATA_BYTES + tail.remaining();
        for (int bit = 0; bit < tail.remaining() * Byte.SIZE; bit++) {
            ByteBuffer changed = copy(tail);
            int at = bit / Byte.SIZE;
            changed.put(at, (byte) (changed.get(at) ^ 1 << bit % Byte.SIZE));
            assertThatThrownBy(() -> PartitionIndex.decode(changed, LENGTHS.length, fileBytes))
                    .as("bit %s", bit)
                    .isInstanceOf(BrokenOutputException.class);
        }
    }

    @Test
    void shouldRefuseFilesOfOtherLengths() {
        ByteBuffer tail = PartitionIndex.encode(LENGTHS, CHECKSUMS);
        long fileBytes = DATA_BYTES + tail.remaining();
        assertThatThrownBy(() -> PartitionIndex.decode(tail, LENGTHS.length, fileBytes - 1))
                .hasMessageContaining("length");
        ByteBuffer other = PartitionIndex.encode(LENGTHS, new int[CHECKSUMS.length - 1]);
        assertThatThrownBy(() -> PartitionIndex.decode(other, LENGTHS.length, fileBytes - 4))
                .hasMessageContaining("checksums");
        assertThatThrownBy(() -> PartitionIndex.decode(tail, LENGTHS.length + 1, fileBytes))
                .hasMessageContaining("number of partitions");
        for (int bytes = 0; bytes < tail.limit(); bytes++) {
            ByteBuffer cut = tail.duplicate().limit(bytes);
            assertThatThrownBy(() -> PartitionIndex.decode(cut, LENGTHS.length, fileBytes))
                    .isInstanceOf(BrokenOutputException.class);
        }
    }
}

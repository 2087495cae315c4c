/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams over what was fetched. */
@Tag("spark")
class StreamsTest {
    @Test
    void shouldEndWithItsBytesAndLeaveTheRest() throws IOException {
        ByteArrayInputStream source = new ByteArrayInputStream(new byte[] {1, 2, 3, 4, 5});
        BoundedStream first = new BoundedStream(source, 3);
        assertThat(first.read()).isEqualTo(1);
        assertThat(first.available()).isEqualTo(2);
        first.close();
        assertThat(first.read()).isEqualTo(-1);
        assertThat(new BoundedStream(source, 2).readAllBytes()).containsExactly(4, 5);
    }

    @Test
    void shouldFailWhereBytesAreMissing() {
        ByteArrayInputStream source = new ByteArrayInputStream(new byte[] {1, 2, 3});
        assertThatThrownBy(() -> new BoundedStream(source, 4).readAllBytes()).isInstanceOf(BrokenOutputException.class);
        assertThatThrownBy(() -> new BoundedStream(source, 4).read()).isInstanceOf(BrokenOutputException.class);
    }

    private static final long[] LENGTHS = {PartitionIndex.CHUNK_BYTES + 10, 0, 5};

    /** Partitions of {@link #LENGTHS}. */
    private static byte[] written() {
        byte[] bytes = new byte[(int) LongStream.of(LENGTHS).sum()];
        new Random(42).nextBytes(bytes);
        return bytes;
    }

    private static LargeRange range(byte[] written, byte[] found) throws IOException {
        ChunkChecksums checksums = new ChunkChecksums();
        int offset = 0;
        for (long length : LENGTHS) {
            checksums.take(written, offset, (int) length);
            checksums.endPartition();
            offset += (int) length;
        }
        ByteBuffer tail = PartitionIndex.encode(LENGTHS, checksums.all());
        PartitionIndex index = PartitionIndex.decode(tail, LENGTHS.length, written.length + tail.remaining());
        return new LargeRange(index, new ByteArrayInputStream(found), new LargeRange.Reads() {
            @Override
            public void succeeded() {}

            @Override
            public void failed(IOException failure) throws IOException {
                throw failure;
            }
        });
    }

    @Test
    void shouldReadALargeRangeAsItWasWritten() throws IOException {
        byte[] written = written();
        try (LargeRange range = range(written, written)) {
            assertThat(range.readAllBytes()).isEqualTo(written);
            assertThat(range.read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {PartitionIndex.CHUNK_BYTES, PartitionIndex.CHUNK_BYTES + 9})
    void shouldHandOutNoByteOfABrokenChunk(int at) throws IOException {
        byte[] written = written();
        byte[] found = written.clone();
        found[at]++;
        try (LargeRange range = range(written, found)) {
            assertThat(range.readNBytes(PartitionIndex.CHUNK_BYTES))
                    .isEqualTo(Arrays.copyOf(written, PartitionIndex.CHUNK_BYTES));
            assertThatThrownBy(range::read).isInstanceOf(BrokenOutputException.class);
        }
    }

    @Test
    void shouldHandOutNoByteOfAChunkThatIsCutShort() throws IOException {
        byte[] written = written();
        try (LargeRange range = range(written, Arrays.copyOf(written, written.length - 1))) {
            assertThat(range.readNBytes((int) LENGTHS[0])).hasSize((int) LENGTHS[0]);
            assertThatThrownBy(range::read).isInstanceOf(BrokenOutputException.class);
        }
    }

    @Test
    void shouldCutBuffersForSmallRangesAndJoinThemForLargeOnes() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.MEMORY).start();
                BufferSlices slices = new BufferSlices(cluster.newStore())) {
            List<BufferSlices.Slice> small = slices.take(100);
            List<BufferSlices.Slice> large = slices.take(100_000);
            assertThat(small).hasSize(1);
            assertThat(large).hasSize(2);
            assertThat(large.get(0).home()).isSameAs(small.get(0).home());
            small.get(0).bytes().slice().put((byte) 7);
            SliceStream stream = new SliceStream(small);
            assertThat(stream.read()).isEqualTo(7);
            assertThat(stream.readAllBytes()).hasSize(99);
            assertThat(new SliceStream(large).readAllBytes()).hasSize(100_000);
            stream.close();
            stream.close();
            assertThat(stream.read()).isEqualTo(-1);
        }
    }
}

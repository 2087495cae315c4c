/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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

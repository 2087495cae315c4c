/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D27: regions have 64-bit lengths, although a mapping is addressed by an int. */
class SegmentLayoutTest {
    private static final long GIB = 1L << 30;

    @Test
    void shouldAddressRegionsLargerThanFourGib() {
        SegmentLayout layout = SegmentLayout.of(5 * GIB + (1 << 20), 1 << 20);
        assertThat(layout.count()).isEqualTo(6);
        assertThat(layout.lengthOf(5)).isEqualTo(1 << 20);
        assertThat(layout.start(5)).isEqualTo(5 * GIB);
        assertThat(layout.segmentOf(5 * GIB + 7)).isEqualTo(5);
        assertThat(layout.offsetInSegment(5 * GIB + 7)).isEqualTo(7);
        assertThat(layout.segmentOf(5 * GIB - 1)).isEqualTo(4);
        assertThat(layout.offsetInSegment(5 * GIB - 1)).isEqualTo((int) GIB - 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {64, 512, 3 * 512, 1 << 20, 3 << 20, 700 << 20, 1 << 30})
    void shouldNotCutABlock(long blockBytes) {
        long length = 9 * GIB / blockBytes * blockBytes;
        SegmentLayout layout = SegmentLayout.of(length, blockBytes);
        long total = 0;
        for (int i = 0; i < layout.count(); i++) {
            assertThat(layout.start(i)).isEqualTo(total);
            assertThat(layout.lengthOf(i) % blockBytes).isZero();
            total += layout.lengthOf(i);
        }
        assertThat(total).isEqualTo(length);
        long last = length - blockBytes;
        assertThat(layout.segmentOf(last)).isEqualTo(layout.segmentOf(length - 1));
    }
}

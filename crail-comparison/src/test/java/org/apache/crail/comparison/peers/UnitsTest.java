/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.apache.crail.comparison.PeerClient;
import org.junit.jupiter.api.Test;

final class UnitsTest {
    @Test
    void shouldGiveAllOfTheMemoryInTurn() {
        Units units = new Units(ByteBuffer.allocate(3 * PeerClient.UNIT_BYTES));
        for (byte number = 0; number < 3; number++) {
            ByteBuffer unit = units.next();
            assertThat(unit.remaining()).isEqualTo(PeerClient.UNIT_BYTES);
            unit.put(0, number);
        }
        for (byte number = 0; number < 6; number++) {
            assertThat(units.next().get(0)).isEqualTo((byte) (number % 3));
        }
    }

    @Test
    void shouldBeginPageAlignedUnitsWithAPage() {
        Units units = Units.pageAligned(2);
        ByteBuffer first = units.next();
        assertThat(first.remaining()).isEqualTo(PeerClient.UNIT_BYTES);
        assertThat(first.alignmentOffset(0, Units.PAGE_BYTES)).isZero();
        units.next().put(0, (byte) 1);
        first.put(0, (byte) 2);
        assertThat(units.next().get(0)).isEqualTo((byte) 2);
    }
}

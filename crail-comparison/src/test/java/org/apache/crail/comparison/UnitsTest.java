/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
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
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.contest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PlacementTest {
    @Test
    void shouldFindTheFirstTwoProcessorsOfAList() {
        assertThat(Placement.firstTwo("0-3,8")).containsExactly(0, 1);
        assertThat(Placement.firstTwo("2,5-7")).containsExactly(2, 5);
        assertThat(Placement.firstTwo("4")).containsExactly(4);
    }

    @Test
    void shouldPlaceNothingIfTheKernelIsFreeToDoSo() {
        assertThat(Placement.FREE.missing()).isEmpty();
        assertThat(Placement.FREE.serverPrefix()).isEmpty();
        assertThat(Placement.FREE.clientPrefix()).isEmpty();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.cold;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ColdEffortTest {
    @Test
    void shouldDoFewerLargeOperationsInLittleMemory() {
        assertThat(ColdEffort.fitting(false, 20_000).marks(ColdWork.PUT_1M)).containsExactly(100, 2_000);
        assertThat(ColdEffort.fitting(false, 2_000).marks(ColdWork.PUT_1M)).containsExactly(100);
        assertThat(ColdEffort.fitting(false, 2_000).marks(ColdWork.GET)).containsExactly(100, 2_000, 20_000);
        assertThat(ColdEffort.fitting(true, 20_000)).isEqualTo(ColdEffort.QUICK);
    }

    @Test
    void shouldHaveRoomForATurn() {
        assertThat(ColdEffort.FULL.storageMib()).isBetween(2_200, 2_600);
        assertThat(ColdEffort.SMALL.storageMib()).isBetween(300, 500);
    }
}

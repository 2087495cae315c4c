/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingBlocksTest {
    private final PendingBlocks pending = new PendingBlocks();

    /** D36: what came first becomes due first. */
    @Test
    void shouldKeepTheOrder() {
        long added = 0;
        long polled = 0;
        for (int round = 0; round < 2000; round++) {
            for (int i = 0; i < 7; i++) {
                pending.add(added, added);
                added++;
            }
            for (int i = 0; i < 6 + round % 2; i++) {
                assertThat(pending.hasDue(polled - 1)).isFalse();
                assertThat(pending.hasDue(polled)).isTrue();
                assertThat(pending.poll()).isEqualTo(polled++);
            }
            assertThat(pending.size()).isEqualTo(added - polled);
        }
        List<Long> rest = new ArrayList<>();
        pending.forEach(rest::add);
        assertThat(rest).hasSize((int) (added - polled)).isSorted().first().isEqualTo(polled);
        while (pending.hasDue(Long.MAX_VALUE / 2)) {
            pending.poll();
        }
        assertThat(pending.size()).isZero();
        pending.add(5, 5);
        assertThat(pending.poll()).isEqualTo(5);
    }
}

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
        List<Long> rest = rest(7);
        assertThat(rest).hasSize((int) (added - polled)).isSorted().first().isEqualTo(polled);
        while (pending.hasDue(Long.MAX_VALUE / 2)) {
            pending.poll();
        }
        assertThat(pending.size()).isZero();
        pending.add(5, 5);
        assertThat(pending.poll()).isEqualTo(5);
    }

    private List<Long> rest(int perStep) {
        List<Long> rest = new ArrayList<>();
        PendingBlocks.Walk walk = pending.walk();
        int done;
        do {
            done = walk.walk(perStep, rest::add);
        } while (done == perStep);
        return rest;
    }

    @Test
    void shouldShowAWalkWhatWaitedWhenItBegan() {
        for (long block = 0; block < 2000; block++) {
            pending.add(block, block);
        }
        PendingBlocks.Walk walk = pending.walk();
        List<Long> seen = new ArrayList<>();
        for (long block = 2000; seen.size() < 2000; block += 3) {
            assertThat(walk.walk(1, seen::add)).isEqualTo(1);
            pending.add(block, block);
            long polled = pending.poll() + pending.poll();
            assertThat(polled).isPositive();
            pending.add(block + 1, block + 1);
        }
        assertThat(walk.walk(1, seen::add)).isZero();
        assertThat(seen).isSorted().doesNotHaveDuplicates().endsWith(1999L);
    }
}

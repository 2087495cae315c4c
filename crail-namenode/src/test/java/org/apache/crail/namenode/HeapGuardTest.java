/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeapGuardTest {
    private final List<Boolean> told = new ArrayList<>();
    private long usedBytes;

    private HeapGuard guard(int limitPercent) {
        return new HeapGuard(limitPercent, () -> new MemoryUsage(0, usedBytes, 1000, 1000), told::add);
    }

    @Test
    void shouldTellOnceWhenTheHeapIsFullAndWhenItHasRoom() {
        HeapGuard guard = guard(80);
        for (long used : new long[] {0, 800, 801, 900, 780, 761}) {
            usedBytes = used;
            guard.look();
        }
        assertThat(told).containsExactly(true);

        usedBytes = 760;
        guard.look();
        guard.look();

        assertThat(told).containsExactly(true, false);
    }

    @Test
    void shouldNeverTellWithALimitOfAHundred() {
        usedBytes = 1000;
        guard(100).look();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldFindThePoolOfThisJvm() {
        MemoryUsage usage = HeapGuard.longLived().get();

        assertThat(usage.getMax()).isBetween(1L, Runtime.getRuntime().maxMemory());
        assertThat(usage.getUsed()).isNotNegative();
    }
}

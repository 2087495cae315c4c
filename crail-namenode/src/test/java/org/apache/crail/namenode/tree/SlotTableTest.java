/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeMap;
import org.apache.crail.CrailNodeType;
import org.junit.jupiter.api.Test;

class SlotTableTest {
    private final SlotTable slots = new SlotTable();
    private final Node node = new Node(1, CrailNodeType.DATAFILE, null);

    @Test
    void shouldGiveTheLowestFreeSlotAndShrinkWithTheHighest() {
        Random random = new Random(3);
        TreeMap<Integer, Node> model = new TreeMap<>();
        for (int step = 0; step < 50_000; step++) {
            int target = step < 25_000 ? 5000 : 10;
            if (model.isEmpty() || (model.size() < target && random.nextInt(3) > 0)) {
                int slot = slots.firstFree(0);
                assertThat(model).doesNotContainKey(slot);
                assertThat(model.headMap(slot)).hasSize(slot);
                slots.put(slot, node);
                model.put(slot, node);
            } else {
                Integer near = model.floorKey(random.nextInt(model.lastKey() + 1));
                int slot = near == null ? model.firstKey() : near;
                slots.clear(slot);
                model.remove(slot);
            }
            assertThat(slots.used()).isEqualTo(model.size());
            assertThat(slots.end()).isEqualTo(model.isEmpty() ? 0 : model.lastKey() + 1);
        }
    }

    @Test
    void shouldGiveSlotsFromAPlaceOn() {
        assertThat(slots.firstFree(5000)).isEqualTo(5000);
        slots.put(5000, node);
        assertThat(slots.firstFree(5000)).isEqualTo(5001);
        assertThat(slots.firstFree(0)).isZero();
        assertThat(slots.get(5000)).isSameAs(node);
        assertThat(slots.get(4999)).isNull();
        assertThat(slots.get(1_000_000)).isNull();
        assertThat(slots.firstUsed(0, 10_000)).isEqualTo(5000);
        assertThat(slots.firstUsed(5000, 10_000)).isEqualTo(5000);
        assertThat(slots.firstUsed(5001, 10_000)).isEqualTo(10_000);
        assertThat(slots.firstUsed(0, 4999)).isEqualTo(4999);
        slots.clear(5000);
        assertThat(slots.end()).isZero();
    }
}

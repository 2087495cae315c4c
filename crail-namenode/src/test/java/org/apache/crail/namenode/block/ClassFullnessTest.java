/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.namenode.block.ClassFullness.Level;
import org.junit.jupiter.api.Test;

class ClassFullnessTest {
    private static final int BLOCKS = 100;

    private final DatanodeLife datanode = new DatanodeLife(1, new DataNodeInfo(0, 0, 0, "dn", 1), 1, "", 0, 0, 0);
    private final ClassFullness fullness = new ClassFullness(0);
    private final Deque<Long> used = new ArrayDeque<>();

    ClassFullnessTest() {
        datanode.addRegions(List.of(new Region(0, 0, BLOCKS * 4096L, 1)), 4096, false);
    }

    private Level atPercent(int percent) {
        while (used.size() < percent) {
            used.push(datanode.allocate());
        }
        while (used.size() > percent) {
            datanode.free(used.pop());
        }
        fullness.beginCount();
        fullness.count(datanode);
        fullness.endCount();
        return fullness.level();
    }

    @Test
    void shouldTellNearlyFullAndFullOnce() {
        assertThat(atPercent(0)).isEqualTo(Level.ROOMY);
        assertThat(atPercent(89)).isEqualTo(Level.ROOMY);
        assertThat(atPercent(90)).isEqualTo(Level.NEARLY_FULL);
        assertThat(atPercent(100)).isEqualTo(Level.FULL);
        assertThat(atPercent(99)).isEqualTo(Level.FULL);
    }

    @Test
    void shouldTellItAgainOnlyAfterThereWasRoom() {
        atPercent(90);
        assertThat(atPercent(80)).isEqualTo(Level.NEARLY_FULL);
        assertThat(atPercent(79)).isEqualTo(Level.ROOMY);
        assertThat(atPercent(85)).isEqualTo(Level.ROOMY);
        assertThat(atPercent(100)).isEqualTo(Level.FULL);
        assertThat(atPercent(80)).isEqualTo(Level.FULL);
        assertThat(atPercent(79)).isEqualTo(Level.ROOMY);
    }

    @Test
    void shouldNotTakeBlocksThatWaitForReclamationForFull() {
        atPercent(100);
        List<BlockRange> waiting =
                datanode.addRegions(List.of(new Region(BLOCKS * 4096L, 0, 10 * BLOCKS * 4096L, 2)), 4096, true);
        assertThat(atPercent(100)).isEqualTo(Level.ROOMY);

        waiting.forEach(datanode::releaseHeld);

        assertThat(atPercent(100)).isEqualTo(Level.ROOMY);
        assertThat(atPercent(1100)).isEqualTo(Level.FULL);
    }

    @Test
    void shouldNotTakeAClassWithoutBlocksForFull() {
        fullness.beginCount();
        fullness.endCount();

        assertThat(fullness.level()).isEqualTo(Level.ROOMY);
    }
}
